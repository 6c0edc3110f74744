import { parseArgs } from "node:util";
import type { Traffic } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { type Dashboard, dashboardOf } from "../dashboard.ts";
import { parseWeights } from "./parse-weights.ts";

/** What `nereid models …` was asked to do. */
export interface ModelsCommand extends Dashboard {
  readonly verb: (typeof VERBS)[number];
  /** Model, or for `push` the path of what to upload. */
  readonly subject: string;
  /** From `MODEL/VERSION`. */
  readonly subVersion: string | undefined;
  readonly json: boolean;
  readonly model: string | undefined;
  readonly version: string | undefined;
  readonly to: string | undefined;
  /** Of `profile`: how long, and the file for the trace. */
  readonly seconds: number | undefined;
  readonly trace: string | undefined;
  readonly file: string | undefined;
  readonly reason: string | undefined;
  readonly load: boolean;
  readonly yes: boolean;
  /** What `traffic` shall become: null = not divided; undefined = it is only shown. */
  readonly traffic: Traffic | null | undefined;
}

const VERBS = [
  "list",
  "versions",
  "push",
  "load",
  "cancel-load",
  "unload",
  "config",
  "rollback",
  "traffic",
  "profile",
] as const;
const LONGEST_PROFILE_SECS = 60;

export const MODELS_HELP = `nereid models VERB [options]

  list                           every model, its versions and their states
  versions MODEL                 versions on disk: digest, size, author, state
  push PATH                      upload an .onnx file, a model folder, a .zip or a .tar(.gz); check it; publish it
      --model=NAME --version=N   instead of the name of the file and the next free number
      --no-load                  publish without loading
      --yes                      publish without asking, as long as the check found no error
  load MODEL[/VERSION]           load a model, or one version beside those that are served
  cancel-load MODEL              end the loads of a model that are in progress; what is served goes on
  unload MODEL[/VERSION]
  config MODEL                   print config.pbtxt
      --file=FILE                check and apply this file instead ('-' reads standard input)
  rollback MODEL                 serve the version before the newest one
      --to=VERSION
  traffic MODEL                  how the requests that name no version are divided
      --weights=1=90,2=10        divide them so from now on, also after a restart
      --sticky-header=x-user     requests with the same value in it go to the same version
      --clear                    let them go to the highest version that is ready again

  profile MODEL                  where the model's time goes, by operator and provider; it goes on serving meanwhile
      --seconds=5                how long, up to ${LONGEST_PROFILE_SECS}
      --version=N
      --trace=FILE               every event, for https://ui.perfetto.dev or chrome://tracing

  --url=URL        address of the dashboard (NEREID_URL; default http://127.0.0.1:3000)
  --key=KEY        API key (NEREID_API_KEY); made in the dashboard under Settings
  --reason=TEXT    goes into the audit log
  --json           machine-readable output
`;

/** Reads the arguments after `models`. INVALID_ARGUMENT, with the fix, for anything that cannot be meant. */
export function parseModelsCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ModelsCommand {
  const { values, positionals } = parse(args);
  const verb = VERBS.find((known) => known === positionals[0]);
  if (verb === undefined) {
    throw usage(
      positionals[0] === undefined ? "a verb is missing" : `'${positionals[0]}' is no verb of 'nereid models'`,
    );
  }
  const subject = positionals[1] ?? "";
  if (verb !== "list" && subject === "") throw usage(`'${verb}' needs ${verb === "push" ? "a path" : "a model"}`);
  const tooMany = positionals[verb === "list" ? 1 : 2];
  if (tooMany !== undefined) throw usage(`'${tooMany}' is one argument too many`);
  const dashboard = dashboardOf(values, env);
  const slash = verb === "load" || verb === "unload" ? subject.lastIndexOf("/") : -1;
  const model = slash === -1 ? subject : subject.slice(0, slash);
  const subVersion = slash === -1 ? undefined : subject.slice(slash + 1);
  // In an address these would be a step, not a name.
  const isNoName = verb !== "list" && verb !== "push" && ["", ".", ".."].includes(model);
  if (isNoName || subVersion === "") throw usage(`'${subject}' is not MODEL${slash === -1 ? "" : "/VERSION"}`);
  return {
    verb,
    subject: model,
    subVersion,
    ...dashboard,
    json: values.json ?? false,
    model: values.model,
    version: values.version,
    to: values.to,
    seconds: secondsOf(values.seconds),
    trace: values.trace,
    file: values.file,
    reason: values.reason,
    load: !(values["no-load"] ?? false),
    yes: values.yes ?? false,
    traffic: trafficOf(values),
  };
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= LONGEST_PROFILE_SECS) return seconds;
  throw usage(`--seconds must be a number up to ${LONGEST_PROFILE_SECS}, not '${text}'`);
}

function trafficOf(values: ReturnType<typeof parse>["values"]): Traffic | null | undefined {
  const { weights, clear = false, "sticky-header": stickyHeader } = values;
  if (clear && (weights !== undefined || stickyHeader !== undefined))
    throw usage("--clear goes with neither --weights nor --sticky-header");
  if (clear) return null;
  if (weights !== undefined)
    return { weights: parseWeights(weights), ...(stickyHeader !== undefined && { stickyHeader }) };
  if (stickyHeader !== undefined) throw usage("--sticky-header needs --weights");
  return undefined;
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: text,
        key: text,
        model: text,
        version: text,
        to: text,
        file: text,
        reason: text,
        seconds: text,
        trace: text,
        weights: text,
        "sticky-header": text,
        clear: flag,
        json: flag,
        yes: flag,
        "no-load": flag,
      },
    });
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message : String(cause));
  }
}

function usage(problem: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", problem, { fix: "see: nereid models --help" });
}
