import { bad } from "./given-flags.ts";

/** Calls of these categories need a header with this value. */
export interface RestrictedApi {
  readonly categories: readonly string[];
  readonly header: string;
  readonly value: string;
}

/** Groups of calls that can be restricted (http.md §16, grpc.md). */
export const RESTRICTED_CATEGORIES: readonly string[] = [
  "health",
  "metadata",
  "inference",
  "shared-memory",
  "model-config",
  "model-repository",
  "statistics",
  "trace",
  "logging",
];

/** What a header or metadata name may consist of. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** `<api>[,<api>]:<key>=<value>`, each. INVALID_ARGUMENT for an unknown category and for one that is in two groups. */
export function parseRestrictedApis(option: string, texts: readonly string[]): readonly RestrictedApi[] {
  const taken = new Set<string>();
  return texts.map((text) => {
    const colon = text.indexOf(":");
    const equals = text.indexOf("=", colon);
    if (colon < 1 || equals < colon) throw bad(option, `expected <api>[,<api>]:<key>=<value>, got "${text}"`);
    const categories = text
      .slice(0, colon)
      .split(",")
      .map((category) => category.trim());
    for (const category of categories) {
      if (!RESTRICTED_CATEGORIES.includes(category))
        throw bad(
          option,
          `unknown restricted api '${category}'; expected ${RESTRICTED_CATEGORIES.join(", ")}; got "${text}"`,
        );
      if (taken.has(category))
        throw bad(option, `restricted api '${category}' can not be specified in multiple config groups`);
      taken.add(category);
    }
    const header = text.slice(colon + 1, equals).trim();
    if (!NAME.test(header)) throw bad(option, `'${header}' cannot be the name of a header; got "${text}"`);
    return { categories, header, value: text.slice(equals + 1) };
  });
}
