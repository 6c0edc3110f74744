/** The runner's only setting from the environment: where the server listens for it. */
export function readEnv(): { readonly socketPath: string } {
  const socketPath = process.env["NEREID_RUNNER_SOCKET"];
  if (socketPath === undefined) throw new Error("NEREID_RUNNER_SOCKET is not set; runners are started by the server");
  return { socketPath };
}
