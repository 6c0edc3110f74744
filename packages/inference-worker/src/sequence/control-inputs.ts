import type { TensorSpec } from "../models/model-spec.ts";
import type { ValidInput } from "../request/valid-request.ts";

export type SequenceId = bigint | string;

/** A tensor that tells the model where in its sequence a request stands. */
export type ControlSpec =
  | {
      readonly kind: "start" | "end" | "ready";
      readonly tensor: TensorSpec;
      /** Both values ready to be sent; nothing changes them. */
      readonly off: ValidInput;
      readonly on: ValidInput;
    }
  | {
      readonly kind: "corrid";
      readonly tensor: TensorSpec;
      readonly shape: readonly number[];
    };

/** What the controls of one place of a batch say. A null request has neither flag, is not ready, and its id is 0n. */
export interface ControlValues {
  readonly start: boolean;
  readonly end: boolean;
  readonly ready: boolean;
  readonly id: SequenceId;
}

/** Control tensors of one request, in the order of the configuration, each of one element (scheduling.md §5, Controls). Pure. */
export function controlInputs(controls: readonly ControlSpec[], values: ControlValues): ValidInput[] {
  return controls.map((control) => {
    if (control.kind !== "corrid") return values[control.kind] ? control.on : control.off;
    const { tensor, shape } = control;
    return { spec: tensor, shape, bytes: correlationBytes(tensor, values.id) };
  });
}

/** The low bytes of a number in the declared type; a text as one BYTES element, empty for the id of a null request. */
function correlationBytes(tensor: TensorSpec, id: SequenceId): Uint8Array {
  if (tensor.datatype === "BYTES") {
    const text = Buffer.from(typeof id === "string" ? id : id === 0n ? "" : id.toString());
    const bytes = Buffer.alloc(4 + text.length);
    bytes.writeUInt32LE(text.length);
    bytes.set(text, 4);
    return bytes;
  }
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(typeof id === "bigint" ? BigInt.asUintN(64, id) : 0n);
  return tensor.datatype === "UINT32" || tensor.datatype === "INT32" ? bytes.subarray(0, 4) : bytes;
}
