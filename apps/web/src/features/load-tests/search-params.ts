import { parseAsFloat, parseAsString } from "nuqs/server";

/** How the form of a new test begins. */
export const newTestParams = {
  model: parseAsString,
  version: parseAsString,
  preset: parseAsString,
  /** Requests a second of an open loop. */
  rate: parseAsFloat,
  /** A test whose form it is. */
  from: parseAsString,
};

/** Address of the form for this model. */
export function newTestPath(fields: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== null);
  const search = new URLSearchParams(given);
  return search.size === 0 ? "/load-tests/new" : `/load-tests/new?${search}`;
}
