import { type Listener, listen } from "../http/listen.ts";
import type { ServerContext } from "../server-context.ts";
import { handleMetrics } from "./handle-metrics.ts";
import { readMetrics } from "./metrics-readings.ts";
import { renderMetrics } from "./render-metrics.ts";

/** Opens the metrics port and starts reading what it shows. */
export async function startMetrics(context: ServerContext): Promise<Listener> {
  const { options } = context;
  const { readings, close } = readMetrics(context);
  try {
    const listener = await listen({
      address: options.metricsAddress,
      port: options.metricsPort,
      option: "metrics-port",
      handler: handleMetrics(() => renderMetrics(context, readings)),
    });
    return {
      port: listener.port,
      close: () => {
        close();
        return listener.close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}
