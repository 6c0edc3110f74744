import { parseArgs } from "node:util";
import { NereidError } from "@nereid/errors";
import { plainVersion } from "@nereid/model-config";

/** What `nereid infer …` was asked to send. */
export interface InferCommand {
  readonly model: string;
  readonly version: string | undefined;
  /** Path of the request; `-` = standard input. */
  readonly file: string;
  /** Address of the server's V2 port. */
  readonly server: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
}

const DEFAULT_SERVER = "http://127.0.0.1:8000";
const DEFAULT_SECONDS = 30;

export const INFER_HELP = `nereid infer MODEL --file=request.json [options]

  sends a request in the JSON of the V2 protocol to a model, and prints the answer

  --file=PATH        the request; - reads it from standard input
  --version=N        a version of the model (default: the server's choice)
  --server=URL       the server's HTTP port (default NEREID_SERVER, else ${DEFAULT_SERVER})
  --timeout=SECONDS  how long to wait (default ${DEFAULT_SECONDS})
`;

/** Reads the arguments after `infer`. INVALID_ARGUMENT, with the fix, for anything that cannot be meant. Pure. */
export function parseInferCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): InferCommand {
  const { values, positionals } = parse(args);
  const [model, ...more] = positionals;
  if (model === undefined || model === "") throw usage("which model?");
  if (more.length > 0) throw usage(`only one model at a time, not also '${more.join(" ")}'`);
  if (values.file === undefined || values.file === "") throw usage("--file is missing");
  if (values.version !== undefined && plainVersion(values.version) !== values.version)
    throw usage(`'${values.version}' is not a version number`);
  const seconds = values.timeout === undefined ? DEFAULT_SECONDS : Number(values.timeout);
  if (!(seconds > 0 && seconds <= 86_400)) throw usage(`--timeout must be seconds above 0, not '${values.timeout}'`);
  const server = values.server ?? env["NEREID_SERVER"] ?? DEFAULT_SERVER;
  if (!URL.canParse(server) || !/^https?:/.test(server)) throw usage(`'${server}' is not the address of a server`);
  return { model, version: values.version, file: values.file, server, timeoutMs: seconds * 1_000 };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    const options = { file: text, version: text, server: text, timeout: text } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message : String(cause));
  }
}

function usage(problem: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", problem, { fix: "see: nereid infer --help" });
}
