import { fileURLToPath } from "node:url";
import { NereidError } from "@nereid/errors";
import { analyze } from "./analyze/analyze.ts";
import { ANALYZE_HELP } from "./analyze/analyze-help.ts";
import { DOCTOR_HELP, parseDoctorCommand } from "./doctor/doctor-options.ts";
import { runDoctor } from "./doctor/run-doctor.ts";
import { readEnv } from "./env.ts";
import { INFER_HELP, parseInferCommand } from "./infer/infer-options.ts";
import { runInfer } from "./infer/run-infer.ts";
import { MODELS_HELP, parseModelsCommand } from "./models/models-options.ts";
import { terminalOutput } from "./models/output.ts";
import { runModels } from "./models/run-models.ts";
import { perf } from "./perf/perf.ts";
import { PERF_HELP } from "./perf/perf-help.ts";
import { plainText } from "./plain-text.ts";
import { parseRequestsCommand, REQUESTS_HELP } from "./requests/requests-options.ts";
import { runRequests } from "./requests/run-requests.ts";
import { serve } from "./serve/serve.ts";
import { upHelp } from "./up/launcher-options.ts";
import { serverHelp } from "./up/server-help.ts";
import { up } from "./up/up.ts";
import { parseUpOptions } from "./up/up-options.ts";

/** `nereid up`, `nereid serve`, `nereid models VERB`, `nereid requests`, `nereid infer`, `nereid perf`, `nereid analyze` and `nereid doctor`. Answers the exit code, or nothing when the process goes on by itself. */
async function main(): Promise<number | undefined> {
  const [verb, ...args] = process.argv.slice(2);
  const wantsHelp = args.includes("--help") || args.includes("-h");
  const { root, env } = readEnv();
  if (verb === "serve") {
    await serve(args, root);
    return undefined;
  }
  if (verb === "models") {
    if (wantsHelp) process.stdout.write(MODELS_HELP);
    else await models(args, env);
    return 0;
  }
  if (verb === "requests") {
    if (wantsHelp) process.stdout.write(REQUESTS_HELP);
    else await requests(args, env);
    return 0;
  }
  if (verb === "infer") {
    process.stdout.write(wantsHelp ? INFER_HELP : `${plainText(await runInfer(parseInferCommand(args, env)))}\n`);
    return 0;
  }
  if (verb === "perf") {
    if (wantsHelp || args.length === 0) process.stdout.write(PERF_HELP);
    return wantsHelp ? 0 : perf(args, fileURLToPath(new URL("perf-generator.js", import.meta.url)));
  }
  if (verb === "analyze") {
    if (wantsHelp || args.length === 0) process.stdout.write(ANALYZE_HELP);
    const place = { env, generator: fileURLToPath(new URL("perf-generator.js", import.meta.url)) };
    return wantsHelp ? 0 : analyze(args, place);
  }
  if (verb === "doctor") {
    if (wantsHelp) process.stdout.write(DOCTOR_HELP);
    const place = { root, env, probe: fileURLToPath(new URL("doctor-probe.js", import.meta.url)) };
    return wantsHelp ? 0 : runDoctor(parseDoctorCommand(args), place, (line) => void process.stdout.write(`${line}\n`));
  }
  if (verb === "--help" || verb === "-h" || (verb === "up" && wantsHelp)) {
    process.stdout.write(
      `${upHelp(serverHelp(root))}\n${MODELS_HELP}\n${REQUESTS_HELP}\n${INFER_HELP}\n${PERF_HELP}\n${ANALYZE_HELP}\n${DOCTOR_HELP}`,
    );
    return 0;
  }
  if (verb !== "up") {
    console.error(
      "nereid: expected 'up', 'serve', 'models', 'requests', 'infer', 'perf', 'analyze' or 'doctor', as in: nereid up --http-port=8000, nereid serve --model-repository=models, nereid models list, nereid requests, nereid infer mnist --file=request.json, nereid perf -m mnist, nereid analyze profile -n mnist, nereid doctor",
    );
    return 2;
  }
  return up({ options: parseUpOptions(args, env, root), root, env });
}

async function models(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const command = parseModelsCommand(args, env);
  const result = await runModels(command, terminalOutput({ quiet: command.json }));
  if (command.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}

async function requests(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const command = parseRequestsCommand(args, env);
  const result = await runRequests(command, terminalOutput({ quiet: command.json }));
  if (command.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}

main().then(
  (code) => {
    if (code !== undefined) process.exit(code);
  },
  (error: unknown) => {
    const { message, fix } = NereidError.from(error);
    console.error(plainText(`nereid: ${message}${fix === undefined ? "" : `\n  to do: ${fix}`}`));
    process.exit(1);
  },
);
