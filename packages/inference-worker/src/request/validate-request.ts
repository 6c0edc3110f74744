import { NereidError } from "@nereid/errors";
import {
  byteSizeOf,
  checkBytesElements,
  type InferInput,
  type InferRequest,
  type RequestedOutput,
  requestIdPrefix,
} from "@nereid/protocol";
import type { ModelSpec, TensorSpec } from "../models/model-spec.ts";
import type { SequencePlace, ValidInput, ValidRequest } from "./valid-request.ts";

const BATCH_NOTE =
  "NOTE: Setting a non-zero max_batch_size in the model config requires a batch dimension to be prepended to each input shape. " +
  "If you want to specify the full shape including the batch dim in your input dims config, try setting max_batch_size to zero. " +
  "See the model configuration docs for more info on max_batch_size.";

const NS_PER_MICROSECOND = 1000;

/**
 * Checks a decoded request against its model, in Triton's order: requested outputs, input count, names and batch sizes,
 * largest batch, then for each input type, shape and size. Throws INVALID_ARGUMENT with Triton's texts. `deadlineNs`: when the client
 * stops waiting, by the executor's clock.
 */
export function validateRequest(
  spec: ModelSpec,
  request: InferRequest,
  deadlineNs = Number.POSITIVE_INFINITY,
): ValidRequest {
  const check = new RequestCheck(spec, request.id);
  const outputs = check.outputs(request.outputs);
  check.inputCount(request.inputs);
  const named = check.inputNames(request.inputs);
  const batchSize = check.batchSize(named);
  const inputs = spec.inputs.flatMap((tensor) => {
    const input = named.get(tensor);
    return input === undefined ? [] : [check.input(tensor, input)];
  });
  return {
    id: request.id,
    batchSize,
    inputs,
    outputs,
    shapeKey: shapeKey(spec, inputs),
    timeoutNs: Number(request.controls.timeoutMicroseconds) * NS_PER_MICROSECOND,
    byteLength: inputs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
    priority: Number(request.controls.priority),
    sequence: sequenceOf(request),
    parameters: request.modelParameters,
    deadlineNs,
  };
}

function sequenceOf({ controls }: InferRequest): SequencePlace | undefined {
  const { sequenceId, sequenceStart, sequenceEnd } = controls;
  if (sequenceId === undefined && !sequenceStart && !sequenceEnd) return undefined;
  return { id: sequenceId ?? 0n, start: sequenceStart, end: sequenceEnd };
}

class RequestCheck {
  readonly #spec: ModelSpec;
  readonly #requestId: string;

  constructor(spec: ModelSpec, requestId: string) {
    this.#spec = spec;
    this.#requestId = requestId;
  }

  outputs(requested: readonly RequestedOutput[]): readonly TensorSpec[] {
    if (requested.length === 0) return this.#spec.outputs;
    const wanted = new Set<string>();
    for (const { name } of requested) {
      if (!this.#spec.outputByName.has(name))
        throw this.#plain(`unexpected inference output '${name}' for model '${this.#spec.name}'`);
      if (wanted.has(name)) throw this.#invalid(`output '${name}' already exists in request`);
      wanted.add(name);
    }
    return this.#spec.outputs.filter(({ name }) => wanted.has(name));
  }

  inputCount(inputs: readonly InferInput[]): void {
    const names = new Set<string>();
    for (const { name } of inputs) {
      if (names.has(name)) throw this.#invalid(`input '${name}' already exists in request`);
      names.add(name);
    }
    const { requiredInputs, inputs: declared, name } = this.#spec;
    if (inputs.length >= requiredInputs && inputs.length <= declared.length) return;
    const missing = declared
      .filter((tensor) => !tensor.optional && !names.has(tensor.name))
      .map((tensor) => `'${tensor.name}'`);
    const expected =
      requiredInputs === declared.length
        ? `expected ${declared.length} inputs`
        : `expected number of inputs between ${requiredInputs} and ${declared.length}`;
    const got = [...names].map((text) => `'${text}'`).join(",");
    // Triton cuts a trailing character from the list it built; with nothing missing that is the opening bracket.
    const missingText = missing.length === 0 ? "]" : `[${missing.join(",")}]`;
    throw this.#invalid(
      `${expected} but got ${inputs.length} inputs for model '${name}'. Got input(s) [${got}], but missing required input(s) ${missingText}. Please provide all required input(s).`,
    );
  }

  inputNames(inputs: readonly InferInput[]): ReadonlyMap<TensorSpec, InferInput> {
    const named = new Map<TensorSpec, InferInput>();
    for (const input of inputs) {
      const tensor = this.#spec.inputByName.get(input.name);
      if (tensor === undefined)
        throw this.#plain(`unexpected inference input '${input.name}' for model '${this.#spec.name}'`);
      named.set(tensor, input);
    }
    return named;
  }

  batchSize(named: ReadonlyMap<TensorSpec, InferInput>): number {
    const { maxBatchSize, name } = this.#spec;
    if (maxBatchSize === 0) return 1;
    let batch: number | undefined;
    for (const [tensor, { shape }] of named) {
      const [first] = shape;
      if (first === undefined)
        throw this.#invalid(`input '${tensor.name}' has no shape but model requires batch dimension for '${name}'`);
      if (batch !== undefined && batch !== first)
        throw this.#invalid(`input '${tensor.name}' batch size does not match other inputs for '${name}'`);
      batch = first;
    }
    if ((batch ?? 1) > maxBatchSize)
      throw this.#invalid(`inference request batch-size must be <= ${maxBatchSize} for '${name}'`);
    return batch ?? 1;
  }

  input(tensor: TensorSpec, input: InferInput): ValidInput {
    if (input.datatype !== tensor.datatype) {
      throw this.#invalid(
        `inference input '${tensor.name}' data-type is '${input.datatype}', but model '${this.#spec.name}' expects '${tensor.datatype}'`,
      );
    }
    this.#shape(tensor, input.shape);
    if (input.data.kind === "shm") {
      throw new NereidError("INTERNAL", `input '${tensor.name}' was not read from shared memory`);
    }
    const { bytes } = input.data;
    this.#byteSize(tensor, input.shape, bytes);
    return { spec: tensor, shape: input.shape, bytes };
  }

  #shape(tensor: TensorSpec, shape: readonly number[]): void {
    const batching = this.#spec.maxBatchSize > 0;
    const dims = batching ? shape.slice(1) : shape;
    const fits =
      dims.length === tensor.dims.length && tensor.dims.every((dim, index) => dim === -1 || dim === dims[index]);
    if (fits) return;
    const expected = batching ? [-1, ...tensor.dims] : tensor.dims;
    throw this.#invalid(
      `unexpected shape for input '${tensor.name}' for model '${this.#spec.name}'. Expected ${shapeText(expected)}, got ${shapeText(shape)}. ${batching ? BATCH_NOTE : ""}`,
    );
  }

  #byteSize(tensor: TensorSpec, shape: readonly number[], bytes: Uint8Array): void {
    const elements = shape.reduce((product, dim) => product * dim, 1);
    if (tensor.datatype === "BYTES") {
      checkBytesElements(bytes, {
        count: elements,
        inputName: tensor.name,
        modelName: this.#spec.name,
        requestId: this.#requestId,
      });
      return;
    }
    const expected = elements * byteSizeOf(tensor.datatype);
    if (bytes.byteLength !== expected) {
      throw this.#invalid(
        `input byte size mismatch for input '${tensor.name}' for model '${this.#spec.name}'. Expected ${expected}, got ${bytes.byteLength}`,
      );
    }
  }

  #invalid(text: string): NereidError {
    return new NereidError("INVALID_ARGUMENT", requestIdPrefix(this.#requestId) + text);
  }

  #plain(text: string): NereidError {
    return new NereidError("INVALID_ARGUMENT", text);
  }
}

function shapeKey(spec: ModelSpec, inputs: readonly ValidInput[]): string {
  const optional = spec.requiredInputs !== spec.inputs.length;
  const start = spec.maxBatchSize > 0 ? 1 : 0;
  let key = "";
  for (const { spec: tensor, shape } of inputs) {
    if (optional) key += `${tensor.name}:`;
    if (tensor.variable) key += `${shape.slice(start).join("x")};`;
  }
  return key;
}

/** `[1,16]`, as Triton prints shapes. */
function shapeText(shape: readonly number[]): string {
  return `[${shape.join(",")}]`;
}
