import type { Judgement } from "./judge-scenario.ts";

export interface JunitRun {
  readonly name: string;
  readonly seconds: number;
  readonly judgements: readonly Judgement[];
  /** Why it could not be measured; undefined = it was. */
  readonly error: string | undefined;
}

/** The verdict as JUnit XML: a test case for each threshold. Pure. */
export function junitXml({ name, seconds, judgements, error }: JunitRun): string {
  const failures = judgements.filter(({ holds }) => !holds).length;
  const cases = judgements.map(({ wanted, measured, holds }) =>
    holds
      ? testCase(name, wanted, "")
      : testCase(name, wanted, `<failure message="${escaped(`measured ${measured}`)}"/>`),
  );
  if (error !== undefined) cases.push(testCase(name, "is measured", `<error message="${escaped(error)}"/>`));
  const counts = `tests="${cases.length}" failures="${failures}" errors="${error === undefined ? 0 : 1}" time="${seconds.toFixed(3)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="${escaped(name)}" ${counts}>\n${cases.join("\n")}\n</testsuite>\n`;
}

function testCase(suite: string, name: string, inside: string): string {
  return `  <testcase classname="${escaped(suite)}" name="${escaped(name)}">${inside}</testcase>`;
}

/** Control characters are not allowed in XML, not even escaped. */
function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/\p{Cc}/gu, " ");
}
