import type { Alert } from "@nereid/db";

/** Something that is, or was, wrong. */
export interface AlertRecord {
  readonly id: string;
  readonly key: string;
  readonly severity: "page" | "ticket";
  readonly title: string;
  readonly model: string | null;
  readonly node: string | null;
  readonly sloId: string | null;
  /** Unix milliseconds. */
  readonly openedAtMs: number;
  readonly closedAtMs: number | null;
  readonly acknowledgedAtMs: number | null;
  readonly acknowledgedByName: string | null;
  /** Figures at its beginning. */
  readonly facts: Readonly<Record<string, string | number>>;
}

export function toAlert(row: Alert): AlertRecord {
  const { id, key, severity, title, model, node, sloId, facts } = row;
  return {
    id,
    key,
    severity: severity === "page" ? "page" : "ticket",
    title,
    model,
    node,
    sloId,
    openedAtMs: row.openedAt.getTime(),
    closedAtMs: row.closedAt?.getTime() ?? null,
    acknowledgedAtMs: row.acknowledgedAt?.getTime() ?? null,
    acknowledgedByName: row.acknowledgedByName,
    facts: readFacts(facts),
  };
}

function readFacts(facts: unknown): Record<string, string | number> {
  if (typeof facts !== "object" || facts === null) return {};
  return Object.fromEntries(
    Object.entries(facts).filter((entry): entry is [string, string | number] =>
      ["string", "number"].includes(typeof entry[1]),
    ),
  );
}
