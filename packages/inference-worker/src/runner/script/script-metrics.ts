import type { MetricKind } from "../../runner-protocol/call-messages.ts";
import type { CallClient } from "./call-client.ts";

export interface ScriptMetricFamily {
  readonly name: string;
  readonly description: string;
  /** COUNTER by default. */
  readonly kind?: MetricKind;
  readonly labels?: Readonly<Record<string, string>>;
  /** Upper bounds of a histogram, ascending. */
  readonly buckets?: readonly number[];
}

/** One metric of a script; every method resolves with its value then, undefined for a histogram, and rejects when it is refused. */
export interface ScriptMetric {
  increment(amount?: number): Promise<number | undefined>;
  set(value: number): Promise<number | undefined>;
  observe(value: number): Promise<number | undefined>;
  value(): Promise<number | undefined>;
}

/** Makes a metric known to the server, with value 0. */
export function scriptMetric(client: CallClient, given: ScriptMetricFamily): ScriptMetric {
  const { name, description, kind = "COUNTER", labels = {}, buckets } = given;
  const about = { family: name, description, kind, labels, ...(buckets && { buckets }) };
  // What it is refused for is told to whoever uses it.
  client.metric({ ...about, action: "declare" }).catch(() => undefined);
  return {
    increment: (amount = 1) => client.metric({ ...about, action: "increment", amount }),
    set: (amount) => client.metric({ ...about, action: "set", amount }),
    observe: (amount) => client.metric({ ...about, action: "observe", amount }),
    value: () => client.metric({ ...about, action: "value" }),
  };
}
