import { LAUNCHER_OPTIONS } from "../apps/cli/src/up/launcher-options.ts";
import { FLAGS } from "../apps/server/src/options/flag-table.ts";

type Row = readonly [name: string, ...cells: string[]];

/** Every variable that a process of the product reads. */
export const VARIABLES: readonly Row[] = [
  ["NEREID_HTTP_PORT", "start, server", "see `--http-port`"],
  ["NEREID_GRPC_PORT", "start", "see `--grpc-port`"],
  ["NEREID_METRICS_PORT", "start, server", "see `--metrics-port`"],
  ["NEREID_WEB_PORT", "start", "see `--web-port`"],
  ["NEREID_WEB_ADDRESS", "start", "see `--web-address`"],
  ["NEREID_MODEL_REPOSITORY", "start, server", "see `--model-repository`; one directory"],
  ["NEREID_STATE_DIR", "start, server, dashboard", "see `--state-dir`"],
  [
    "NEREID_MANAGEMENT_KEY",
    "start, server",
    "see `--management-key`; better here than on the command line, where other users of the machine can read it",
  ],
  [
    "NEREID_SERVER_URL",
    "dashboard",
    "V2 HTTP address of the server (default http://127.0.0.1:8000); set by `npm start`",
  ],
  [
    "NEREID_LAB",
    "dashboard",
    "the built program (`apps/cli/dist/lab.js`) that runs load tests, tunings and experiments; set by `npm start`",
  ],
  ["NEREID_SERVER_KEY", "dashboard", "management key of that server; set by `npm start`"],
  [
    "DATABASE_URL",
    "dashboard",
    "`postgresql://user:password@host:5432/database` or `file:/path`; default: SQLite in the state directory",
  ],
  ["NEREID_URL", "command line", "address of the dashboard for `nereid models`; default http://127.0.0.1:3000"],
  [
    "NEREID_SERVER",
    "command line",
    "HTTP port of the server for `nereid infer` and `nereid analyze`; default http://127.0.0.1:8000",
  ],
  ["NEREID_API_KEY", "command line", "key for `nereid models`, made in the dashboard"],
  ["NEREID_PUBLIC_URL", "dashboard", "address under which browsers reach the dashboard, when a proxy is before it"],
  [
    "NEREID_ALERTS_ALLOW_PRIVATE",
    "dashboard",
    "`1`: alerts may be sent to receivers in private networks and on this machine; otherwise only to addresses on the internet",
  ],
  [
    "NEREID_TRUST_PROXY",
    "dashboard",
    "`1`: a proxy before the dashboard sets `X-Forwarded-For`; otherwise that header is not believed",
  ],
  [
    "NEREID_PROMETHEUS_URL",
    "dashboard",
    "a Prometheus that scrapes the servers: charts read [the history](observability.md#the-history) there, and the dashboard keeps none",
  ],
  ["NEREID_ADMIN_EMAIL", "dashboard", "with the next: the first administrator, made when there is none"],
  ["NEREID_ADMIN_PASSWORD", "dashboard", "password of the first administrator"],
  [
    "NEREID_SETUP_TOKEN_FILE",
    "dashboard",
    "where the set-up token is written (default: setup-token in the state directory)",
  ],
  ["NEREID_MIGRATIONS_DIR", "dashboard", "folder with the database migrations, when it is not found by itself"],
  ["NEREID_EXIT_WITH_PARENT", "server, dashboard", "`1`: end when standard input ends; set by `npm start`"],
  ["NEREID_RUNNER_SOCKET", "runner", "set by the server; see runner-protocol.md"],
];

/** docs/options.md. */
export function optionsPage(): string {
  const flags = Object.entries(FLAGS);
  const [help, ...others] = flags.filter(([, { noEffect }]) => noEffect === undefined);
  const without = flags.filter(([, { noEffect }]) => noEffect !== undefined);
  return `${[
    "# Options",
    "",
    "Written by the test beside it from the server's own table: `npx vitest run --project unit docs -u`.",
    "",
    "Options are given as `--name=value` or `--name value`. An option on the command line wins over the variable.",
    "",
    "## npm start",
    "",
    "`npm start -- --http-port=9000` takes these; each is also a variable, such as `NEREID_HTTP_PORT`. All other options",
    "go to the server.",
    "",
    ...table(
      ["option", "default", "meaning"],
      LAUNCHER_OPTIONS.map(([name, ...cells]) => [`\`--${name}\``, ...cells]),
    ),
    "",
    "Unless `--model-control-mode` or `--load-model` is given, `npm start` adds `--model-control-mode=explicit --load-model=*`: every",
    "model is loaded and can be loaded and unloaded from the dashboard. Unless `--exit-on-error` is given it adds",
    "`--exit-on-error=false`: one broken model does not keep the others from being served.",
    "",
    "## Server",
    "",
    "`node apps/server/dist/server.js`, or `nereid serve`. The names and meanings are Triton's; those that Triton does not have come last.",
    "`--x=v` and `--x v` are the same; an option that takes true or false means true when it stands alone (on, off, 1 and 0 are taken, too).",
    "",
    ...table(
      ["option", "value", "meaning"],
      [...(help === undefined ? [] : [help]), ...others].map(([name, { kind, help: text, deprecated }]) => [
        `\`--${name}\``,
        VALUES[kind],
        deprecated === undefined ? text : `${text}; deprecated: ${deprecated}`,
      ]),
    ),
    "",
    "### Accepted without effect",
    "",
    "Options of Triton's that start-up scripts carry. Their values are checked; at start each is named with the reason why it changes",
    "nothing and with what to use instead.",
    "",
    ...table(
      ["option", "would be", "instead"],
      without.map(([name, { help: text, noEffect = "" }]) => [`\`--${name}\``, text, noEffect]),
    ),
    "",
    "## One file for the whole server",
    "",
    "A `config.pbtxt` at the root of a model repository (beside the model directories), or the file of `--server-config`, gives defaults:",
    "",
    "```",
    "model_config_list: [",
    '  { config: { name: "my_resnet" max_batch_size: 16 instance_group: [ { count: 2 } ] } }',
    "]",
    "backend_config: [",
    '  { backend: "python" parameters: { key: "shm-default-byte-size" value: "67108864" } }',
    "]",
    "```",
    "",
    "- `model_config_list`: what a model does not say in its own `config.pbtxt`, field by field at the top level. `platform` and `backend`",
    "  come together: they are taken only by a model that names neither. The load answers with a warning that names the fields taken. It",
    "  neither loads models nor creates them; a load with a `config` of its own does not use it.",
    "- `backend_config`: the same as `--backend-config=<backend>,<key>=<value>`, which wins over it.",
    "- A mistake ends the start with `file:line:column`. A file at the root that has neither block, such as a model's configuration in",
    "  the wrong place, is left alone, and that is said. The file is read at start only.",
    "",
    "## Variables",
    "",
    ...table(
      ["variable", "read by", "meaning"],
      VARIABLES.map(([name, ...cells]) => [`\`${name}\``, ...cells]),
    ),
    "",
    "An empty variable of the dashboard counts as not set.",
  ].join("\n")}\n`;
}

const VALUES = {
  switch: "none",
  boolean: "true or false",
  whole: "whole number",
  text: "text",
  repeated: "text, repeatable",
  verbosity: "number, or true or false",
} as const;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}
