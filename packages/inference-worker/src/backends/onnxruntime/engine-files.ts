import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EngineCache, type EngineFacts, whyUnfit } from "./engine-cache.ts";

/** Lies beside the engines and tells what they were built for. */
const FACTS_FILE = "engines.json";

/** Why the engines that are kept must go, in words; undefined when there are none or they fit. */
export function checkEngines({ directory, facts }: EngineCache): string | undefined {
  const kept = readFacts(directory);
  if (kept === undefined) return undefined;
  return kept === "unreadable" ? `${FACTS_FILE} cannot be read` : whyUnfit(kept, facts);
}

/** Removes engines that do not fit any more, and notes what the next ones are built for. Safe to do again. */
export function prepareEngines(cache: EngineCache): void {
  const { directory, facts } = cache;
  if (checkEngines(cache) !== undefined) rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, FACTS_FILE), `${JSON.stringify(facts, null, 2)}\n`);
}

function readFacts(directory: string): EngineFacts | "unreadable" | undefined {
  let text: string;
  try {
    text = readFileSync(join(directory, FACTS_FILE), "utf8");
  } catch {
    return undefined;
  }
  try {
    const kept: unknown = JSON.parse(text);
    return isFacts(kept) ? kept : "unreadable";
  } catch {
    return "unreadable";
  }
}

function isFacts(value: unknown): value is EngineFacts {
  if (typeof value !== "object" || value === null || !("options" in value)) return false;
  const texts = ["gpu", "computeCapability", "driver", "model"].map((key) =>
    Object.entries(value).find(([k]) => k === key),
  );
  return (
    texts.every((entry) => typeof entry?.[1] === "string") &&
    typeof value.options === "object" &&
    value.options !== null
  );
}
