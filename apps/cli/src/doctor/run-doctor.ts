import type { DoctorCommand } from "./doctor-options.ts";
import { gatherFacts } from "./gather-facts.ts";
import { judge, reportLines } from "./report.ts";

export interface DoctorPlace {
  readonly root: string;
  /** Path of the built probe. */
  readonly probe: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Looks, says what it found, and answers the exit code: 1 when something that is needed is missing. */
export async function runDoctor(
  { need, python, json }: DoctorCommand,
  place: DoctorPlace,
  print: (text: string) => void,
): Promise<number> {
  const facts = await gatherFacts({ ...place, python });
  const report = judge(facts, need);
  if (json) print(JSON.stringify({ ...report, facts }, null, 2));
  else for (const line of reportLines(report)) print(line);
  return report.missing.length === 0 ? 0 : 1;
}
