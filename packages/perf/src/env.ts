/** The environment, read in this one place. */
export function readEnv(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
