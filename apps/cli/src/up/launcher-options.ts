/** Options of the launcher: name, default and meaning. Everything else on its command line goes to the server. */
export const LAUNCHER_OPTIONS = [
  ["http-port", "8000", "port of the V2 HTTP API"],
  ["grpc-port", "8001", "port of gRPC"],
  ["metrics-port", "8002", "port of Prometheus metrics"],
  ["web-port", "3000", "port of the dashboard"],
  ["web-address", "127.0.0.1", "address of the dashboard"],
  [
    "model-repository",
    "model_repo",
    "directory of models; repeatable on the command line, one directory in the variable",
  ],
  ["state-dir", "state", "directory of the database, the secrets, the logs and the journal of loaded models"],
] as const;

export type LauncherOption = (typeof LAUNCHER_OPTIONS)[number][0];

/** What `nereid up --help` prints: our options first, then the server's. */
export function upHelp(serverHelp: string): string {
  return [
    "nereid up: starts the server and the dashboard",
    "",
    ...LAUNCHER_OPTIONS.flatMap(([name, standard, meaning]) => [
      `  --${name}=<value>`,
      `      ${meaning} (default ${standard})`,
    ]),
    "",
    "Each is also a variable, such as NEREID_HTTP_PORT. All other options go to the server, whose help follows.",
    "",
    serverHelp.trimEnd(),
    "",
  ].join("\n");
}

/** The names in the server's help. */
export function optionsInHelp(serverHelp: string): ReadonlySet<string> {
  return new Set([...serverHelp.matchAll(/^ *--([a-z0-9-]+)/gm)].map(([, name = ""]) => name));
}

/** The first of these arguments that is an option the server does not have; undefined when it has them all. */
export function unknownOption(passedOn: readonly string[], known: ReadonlySet<string>): string | undefined {
  return passedOn.find((argument) => {
    const name = /^--([^=]*)/.exec(argument)?.[1];
    return name !== undefined && !known.has(name);
  });
}
