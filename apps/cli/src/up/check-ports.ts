import { createServer } from "node:net";
import { NereidError } from "@nereid/errors";
import type { UpOptions } from "./up-options.ts";
import { envName } from "./up-options.ts";

/** UNAVAILABLE when a port is taken, naming the option and the variable that change it. */
export async function checkPorts(options: UpOptions): Promise<void> {
  const wanted = [
    ["http-port", options.httpPort],
    ["grpc-port", options.grpcPort],
    ["metrics-port", options.metricsPort],
    ["web-port", options.webPort],
  ] as const;
  const seen = new Map<number, string>();
  for (const [name, port] of wanted) {
    const other = seen.get(port);
    if (other !== undefined)
      throw new NereidError("INVALID_ARGUMENT", `--${name} and --${other} are both ${port}; give them different ports`);
    seen.set(port, name);
    if (!(await isFree(port))) {
      throw new NereidError(
        "UNAVAILABLE",
        `port ${port} is taken; choose another with --${name}=<port> or ${envName(name)}=<port>`,
      );
    }
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ host: "127.0.0.1", port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
