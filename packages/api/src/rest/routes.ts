import type { z } from "zod";
import { appRouter } from "../root.ts";
import type { ProcedureMeta, RestMethod, RestRoute } from "./rest-meta.ts";

export interface RestOperation {
  /** Name of the procedure, e.g. `models.list`. */
  readonly name: string;
  readonly route: RestRoute;
  /** Undefined for procedures without input. */
  readonly input: z.ZodType | undefined;
  readonly segments: readonly string[];
}

interface ProcedureDef {
  readonly type: "query" | "mutation" | "subscription";
  readonly meta?: ProcedureMeta;
  readonly inputs: readonly z.ZodType[];
}

/** Every procedure that has a route, by name. Streams have none. */
export const OPERATIONS: readonly RestOperation[] = procedures().flatMap(([name, { meta, inputs }]) => {
  if (meta?.rest === undefined) return [];
  return [{ name, route: meta.rest, input: inputs[0], segments: segmentsOf(meta.rest.path) }];
});

/** Every procedure with what tRPC knows of it. */
export function procedures(): [string, ProcedureDef][] {
  // tRPC keeps them in one flat record with dots in the names; its type says otherwise.
  const all = Object.entries(appRouter._def.procedures) as unknown as [string, { readonly _def: ProcedureDef }][];
  return all.map(([name, procedure]) => [name, procedure._def]);
}

export type RouteMatch =
  | { readonly kind: "found"; readonly operation: RestOperation; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "other-method"; readonly allowed: readonly RestMethod[] }
  | { readonly kind: "none" };

/** The operation of a method and a path below /api/v1, whose segments are not decoded yet. Plain segments go before parameters. */
export function matchRoute(method: string, path: string): RouteMatch {
  const given = segmentsOf(path);
  const fitting = OPERATIONS.filter(({ segments }) => fits(segments, given)).sort(bySpecificity);
  const found = fitting.find(({ route }) => route.method === method);
  if (found === undefined) {
    const allowed = [...new Set(fitting.map(({ route }) => route.method))];
    return allowed.length === 0 ? { kind: "none" } : { kind: "other-method", allowed };
  }
  const params: Record<string, string> = {};
  for (const [i, segment] of found.segments.entries()) {
    const name = parameterOf(segment);
    const text = name === undefined ? "" : decode(given[i] ?? "");
    if (text === undefined) return { kind: "none" };
    if (name !== undefined) params[name] = text;
  }
  return { kind: "found", operation: found, params };
}

/** Name of a segment like `{name}`; undefined for a plain one. */
export function parameterOf(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1];
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function fits(pattern: readonly string[], given: readonly string[]): boolean {
  return (
    pattern.length === given.length &&
    pattern.every((segment, i) => parameterOf(segment) !== undefined || segment === given[i])
  );
}

/** The first segment in which they differ in kind decides. */
function bySpecificity(a: RestOperation, b: RestOperation): number {
  const shape = ({ segments }: RestOperation) =>
    segments.map((segment) => (parameterOf(segment) === undefined ? "0" : "1")).join("");
  return shape(a) < shape(b) ? -1 : 1;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
