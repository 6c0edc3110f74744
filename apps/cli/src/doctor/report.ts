import { textTable } from "../text-table.ts";
import type { Facts } from "./facts.ts";
import type { Finding, Subject } from "./finding.ts";
import { judgeEngine } from "./judge-engine.ts";
import { judgeMachine } from "./judge-machine.ts";
import { judgePython } from "./judge-python.ts";

export interface Report {
  readonly findings: readonly Finding[];
  /** Of what is needed: what is not there or does not do. */
  readonly missing: readonly Subject[];
}

/** Without these nothing runs, whatever was asked for. */
const ALWAYS: readonly Subject[] = ["node", "engine", "cpu", "shared-memory"];

/** Judges what was found; `needed` are the subjects of `--need`. Pure. */
export function judge(facts: Facts, needed: readonly Subject[]): Report {
  const findings = [...judgeMachine(facts), ...judgeEngine(facts), ...judgePython(facts)];
  const asked = new Set<Subject>([...ALWAYS, ...needed]);
  const missing = findings.filter(({ subject, status }) => asked.has(subject) && status !== "ok");
  return { findings, missing: missing.map(({ subject }) => subject) };
}

const MARKS: Readonly<Record<Finding["status"], string>> = { ok: "ok", absent: "-", problem: "PROBLEM" };

/** The report for people: a table, then what to do about each row that is not ok. Pure. */
export function reportLines({ findings, missing }: Report): readonly string[] {
  const rows = findings.map(({ subject, status, text }) => [subject, MARKS[status], text]);
  const fixes = findings.flatMap(({ subject, fix }) => (fix === undefined ? [] : [`  ${subject}: ${fix}`]));
  return [
    ...textTable([{ title: "what" }, { title: "" }, { title: "found" }], rows),
    ...(fixes.length === 0 ? [] : ["", "to have what is not there:", ...fixes]),
    "",
    missing.length === 0 ? "Everything that is needed is there." : `Needed and missing: ${missing.join(", ")}`,
  ];
}
