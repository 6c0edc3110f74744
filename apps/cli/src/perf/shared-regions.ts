import { rmSync, writeFileSync } from "node:fs";
import { elementCount, type RequestStep } from "@nereid/perf";
import { byteSizeOf, type RequestedOutput } from "@nereid/protocol";
import type { PerfCommand } from "./perf-command.ts";
import type { PerfModel } from "./perf-model.ts";
import type { PerfServer } from "./perf-server.ts";

/** Requests whose tensors lie in shared memory, and how to take it down. */
export interface SharedRegions {
  readonly streams: readonly (readonly RequestStep[])[];
  readonly outputs: readonly RequestedOutput[];
  close(): Promise<void>;
}

interface Region {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Puts all inputs into one region and each output into one of its own, and makes them known to the server, which must be on this
 * machine and allow it.
 */
export async function shareTensors(
  { client }: PerfServer,
  {
    streams,
    command,
    model,
  }: {
    readonly streams: readonly (readonly RequestStep[])[];
    readonly command: PerfCommand;
    readonly model: PerfModel;
  },
): Promise<SharedRegions> {
  const prefix = `nereid_perf_${process.pid}`;
  const parts: Uint8Array[] = [];
  let offset = 0;
  const shared = streams.map((steps) =>
    steps.map((step): RequestStep => {
      if (step.kind !== "tensors") return step;
      const inputs = step.inputs.map((input) => {
        if (input.data.kind !== "bytes") return input;
        const { byteLength } = input.data.bytes;
        parts.push(input.data.bytes);
        const data = { kind: "shm" as const, region: `${prefix}_in`, offset, byteSize: byteLength };
        offset += byteLength;
        return { ...input, data };
      });
      return { kind: "tensors", inputs };
    }),
  );
  const made: Region[] = [];
  const make = async (name: string, content: Uint8Array) => {
    writeFileSync(`/dev/shm/${name}`, content);
    made.push({ name, bytes: content.byteLength });
    await client.registerSystemSharedMemory({ name, key: `/${name}`, byteSize: content.byteLength });
  };
  const close = async () => {
    for (const { name } of made.splice(0)) {
      await client.unregisterSystemSharedMemory(name).catch(() => undefined);
      rmSync(`/dev/shm/${name}`, { force: true });
    }
  };
  try {
    if (offset > 0) await make(`${prefix}_in`, Buffer.concat(parts));
    const outputs: RequestedOutput[] = [];
    for (const [index, tensor] of model.outputs.entries()) {
      const fixed = tensor.shape.includes(-1) ? 0 : elementCount(tensor.shape) * byteSizeOf(tensor.datatype);
      const byteSize = (fixed === 0 ? command.outputSharedMemoryBytes : fixed) * command.batch;
      const region = `${prefix}_out${index}`;
      await make(region, new Uint8Array(byteSize));
      const shm = { region, offset: 0, byteSize };
      outputs.push({ name: tensor.name, binary: undefined, classification: 0, shm });
    }
    return { streams: shared, outputs, close };
  } catch (error) {
    await close();
    throw error;
  }
}
