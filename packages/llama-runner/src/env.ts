/** Where the server listens for this runner, and where node-llama-cpp is. */
export function readEnv(): { readonly socketPath: string; readonly packageDirectory: string } {
  return { socketPath: required("NEREID_RUNNER_SOCKET"), packageDirectory: required("NEREID_LLAMA_MODULE") };
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; runners are started by the server`);
  return value;
}
