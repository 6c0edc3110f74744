import type { GpuReading, NodeReading } from "@nereid/telemetry";

/** What a node told of itself in some seconds. Means are weighted by the seconds. */
export interface NodeSums {
  readonly seconds: number;
  readonly reading: NodeReading;
}

/** Two stretches of time of one node. */
export function addNodeSums(a: NodeSums, b: NodeSums): NodeSums {
  const mean = meanOf(a.seconds, b.seconds);
  const [x, y] = [a.reading, b.reading];
  return {
    seconds: a.seconds + b.seconds,
    reading: known({
      cpu: mean(x.cpu, y.cpu),
      memoryUsedBytes: mean(x.memoryUsedBytes, y.memoryUsedBytes),
      memoryTotalBytes: greatest(x.memoryTotalBytes, y.memoryTotalBytes),
      rssBytes: mean(x.rssBytes, y.rssBytes),
      eventLoopLagMs: greatest(x.eventLoopLagMs, y.eventLoopLagMs),
      gpus: x.gpus === undefined || y.gpus === undefined ? (x.gpus ?? y.gpus) : addGpus(x.gpus, y.gpus, mean),
    }),
  };
}

/** JSON: there is one series of them for each node, and gzip follows. */
export function encodeNodeSums(sums: NodeSums): Uint8Array {
  return Buffer.from(JSON.stringify(sums), "utf8");
}

/** The way back; bytes that are none of ours count as nothing known. */
export function decodeNodeSums(bytes: Uint8Array): NodeSums {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  return isNodeSums(value) ? value : { seconds: 0, reading: {} };
}

type Mean = (a: number | undefined, b: number | undefined) => number | undefined;

function meanOf(secondsA: number, secondsB: number): Mean {
  return (a, b) => {
    if (a === undefined || b === undefined) return a ?? b;
    return (a * secondsA + b * secondsB) / (secondsA + secondsB);
  };
}

function greatest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function addGpus(a: readonly GpuReading[], b: readonly GpuReading[], mean: Mean): GpuReading[] {
  const indices = [...new Set([...a, ...b].map(({ index }) => index))].sort((x, y) => x - y);
  return indices.map((index) => {
    const x: Partial<GpuReading> = a.find((gpu) => gpu.index === index) ?? {};
    const y: Partial<GpuReading> = b.find((gpu) => gpu.index === index) ?? {};
    return known({
      index,
      name: y.name ?? x.name,
      utilization: mean(x.utilization, y.utilization),
      memoryUsedBytes: mean(x.memoryUsedBytes, y.memoryUsedBytes),
      memoryTotalBytes: greatest(x.memoryTotalBytes, y.memoryTotalBytes),
      powerWatts: mean(x.powerWatts, y.powerWatts),
      temperatureCelsius: greatest(x.temperatureCelsius, y.temperatureCelsius),
      eccErrors: greatest(x.eccErrors, y.eccErrors),
      xidErrors: greatest(x.xidErrors, y.xidErrors),
    });
  });
}

type Known<Fields> = { [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key] } & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>;
};

/** Without the fields that are undefined. */
function known<Fields extends object>(fields: Fields): Known<Fields> {
  // The type says what the filter does, which TypeScript cannot follow through entries.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Known<Fields>;
}

function isNodeSums(value: unknown): value is NodeSums {
  if (typeof value !== "object" || value === null) return false;
  return "seconds" in value && typeof value.seconds === "number" && "reading" in value && isObject(value.reading);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
