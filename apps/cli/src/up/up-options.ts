import { join, resolve } from "node:path";
import { NereidError } from "@nereid/errors";
import { LAUNCHER_OPTIONS, type LauncherOption } from "./launcher-options.ts";

/** What `npm start` starts and where. */
export interface UpOptions {
  readonly httpPort: number;
  readonly grpcPort: number;
  readonly metricsPort: number;
  readonly webPort: number;
  readonly webAddress: string;
  readonly modelRepositories: readonly string[];
  readonly stateDirectory: string;
  /** Options of the server, passed on as they came. */
  readonly passedOn: readonly string[];
  /** True when the user chose the control mode; then nothing about start-up models is added. */
  readonly ownControlMode: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Splits the command line: our options, as `--x=v` or `--x v`, with NEREID_HTTP_PORT and the like as defaults; everything else
 * goes to the server unchanged. INVALID_ARGUMENT names the option and what it takes.
 */
export function parseUpOptions(args: readonly string[], env: Env, root: string): UpOptions {
  const own = new Map<LauncherOption, string[]>();
  const passedOn: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? "";
    const match = /^--([a-z-]+)(?:=([\s\S]*))?$/.exec(argument);
    const name = LAUNCHER_OPTIONS.find(([candidate]) => candidate === match?.[1])?.[0];
    if (name === undefined) {
      passedOn.push(argument);
      continue;
    }
    const value = match?.[2] ?? args[++index];
    if (value === undefined || value === "")
      throw new NereidError("INVALID_ARGUMENT", `option --${name} needs a value, as in --${name}=<value>`);
    own.set(name, [...(own.get(name) ?? []), value]);
  }
  refuseTls(passedOn);
  const last = (name: LauncherOption) => own.get(name)?.at(-1) ?? nonEmpty(env[envName(name)]);
  const port = (name: LauncherOption, standard: number) => portNumber(last(name), name) ?? standard;
  const repositories = own.get("model-repository") ??
    listOf(nonEmpty(env[envName("model-repository")])) ?? [join(root, "model_repo")];
  return {
    httpPort: port("http-port", 8000),
    grpcPort: port("grpc-port", 8001),
    metricsPort: port("metrics-port", 8002),
    webPort: port("web-port", 3000),
    webAddress: last("web-address") ?? "127.0.0.1",
    modelRepositories: repositories.map((directory) => resolve(directory)),
    stateDirectory: resolve(last("state-dir") ?? join(root, "state")),
    passedOn,
    ownControlMode: passedOn.some(
      (argument) => argument.startsWith("--model-control-mode") || argument.startsWith("--load-model"),
    ),
  };
}

/** The dashboard speaks plain HTTP to its server, which listens on this machine only unless told otherwise. */
function refuseTls(passedOn: readonly string[]): void {
  const given = passedOn.find((argument) => /^--http-use-ssl(-mutual)?(=(true|on|1))?$/i.test(argument));
  if (given === undefined) return;
  throw new NereidError(
    "INVALID_ARGUMENT",
    `${given} does not go with the dashboard, which calls the server over plain HTTP`,
    {
      fix: "encrypt in front of both (docs/deploy.md), use --grpc-use-ssl, or run the server alone: nereid serve --http-use-ssl=true …",
    },
  );
}

/** `--http-port` is NEREID_HTTP_PORT in the environment. */
export function envName(option: string): string {
  return `NEREID_${option.toUpperCase().replaceAll("-", "_")}`;
}

function portNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new NereidError("INVALID_ARGUMENT", `--${name} takes a port from 1 to 65535, got '${text}'`);
  return port;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}

function listOf(text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : [text];
}
