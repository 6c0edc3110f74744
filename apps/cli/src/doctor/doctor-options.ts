import { parseArgs } from "node:util";
import { NereidError } from "@nereid/errors";
import { SUBJECTS, type Subject } from "./finding.ts";

export interface DoctorCommand {
  readonly need: readonly Subject[];
  readonly python: string | undefined;
  readonly json: boolean;
}

export const DOCTOR_HELP = `nereid doctor [options]

  what this machine has for running models: engine, accelerators, drivers, Python, memory and limits; each accelerator is
  tried in a process of its own, and what is missing is told with the command that installs it

  --need=A,B       exit code 1 when one of these is missing or broken:
                   ${SUBJECTS.slice(0, 10).join(", ")},
                   ${SUBJECTS.slice(10).join(", ")}
  --python=PROGRAM the interpreter to look at, as in --backend-config=python,interpreter=PROGRAM
  --json           machine-readable output
`;

/** Reads the arguments after `doctor`. INVALID_ARGUMENT, with the fix, for anything that cannot be meant. */
export function parseDoctorCommand(args: readonly string[]): DoctorCommand {
  const { need = "", python, json = false } = parse(args);
  const names = need.split(",").map((name) => name.trim());
  const needed = names.filter((name) => name !== "").map(subjectOf);
  return { need: needed, python, json };
}

function subjectOf(name: string): Subject {
  const subject = SUBJECTS.find((known) => known === name);
  if (subject === undefined) throw usage(`'${name}' is nothing the doctor looks at: ${SUBJECTS.join(", ")}`);
  return subject;
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({ args: [...args], options: { need: text, python: text, json: { type: "boolean" } } }).values;
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message : String(cause));
  }
}

function usage(problem: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", problem, { fix: "see: nereid doctor --help" });
}
