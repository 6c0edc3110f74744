import { NereidError } from "@nereid/errors";
import {
  DataType,
  datatypeFromConfig,
  type ModelSequenceBatching_InitialState,
  type ModelSequenceBatching_State,
} from "@nereid/model-config";
import { countBytesElements, type Datatype } from "@nereid/protocol";
import type { TensorSpec } from "../models/model-spec.ts";
import type { StateSpec, StateValue } from "./implicit-state.ts";
import { zeroByteLength } from "./zero-bytes.ts";

/** One state that takes more is a mistake in its dims, and is refused before memory is asked for. */
const MOST_BYTES = 2 ** 32;

export interface StateContext {
  readonly model: string;
  readonly readInitialState: (file: string) => Uint8Array;
  readonly outputs?: readonly TensorSpec[];
  /** Names of the outputs clients may ask for. */
  readonly visible: ReadonlySet<string>;
}

/** Implicit states of a configuration with their first values. Throws INVALID_ARGUMENT, with Triton's texts where it has one. */
export function compileStates(
  states: readonly ModelSequenceBatching_State[],
  context: StateContext,
): readonly StateSpec[] {
  const inputs = new Set<string>();
  return states.map((state, index) => {
    const { inputName, outputName } = state;
    if (inputName === "" || outputName === "") {
      const field = inputName === "" ? "input_name" : "output_name";
      throw refusal(
        `sequence_batching.state[${index}] of model '${context.model}' must specify '${field}'`,
        `write it`,
      );
    }
    if (inputs.has(inputName)) throw refusal(`State input name '${inputName}' specified more than once.`, "remove one");
    inputs.add(inputName);
    const datatype = datatypeFromConfig(state.dataType);
    if (datatype === undefined) {
      throw refusal(
        `state '${inputName}' of model '${context.model}' must specify 'data_type'`,
        "write for example data_type: TYPE_FP32",
      );
    }
    const dims = state.dims.map(Number);
    const visible = context.visible.has(outputName);
    const output = visible ? context.outputs?.find(({ name }) => name === outputName) : undefined;
    return {
      input: stateTensor(inputName, datatype, dims),
      output: output ?? stateTensor(outputName, datatype, dims),
      visible,
      initial: initialValue(state, { datatype, dims }, context),
    };
  });
}

function stateTensor(name: string, datatype: Datatype, dims: readonly number[]): TensorSpec {
  return { name, datatype, dims, modelDims: dims, variable: dims.includes(-1), optional: false, labels: [] };
}

function initialValue(
  state: ModelSequenceBatching_State,
  tensor: { datatype: Datatype; dims: readonly number[] },
  context: StateContext,
): StateValue {
  const name = state.inputName;
  const [initial] = state.initialState;
  if (state.initialState.length > 1) {
    throw refusal(
      `initial_state field for state input '${name}' must contain exactly one or zero element. Found '${state.initialState.length}' elements.`,
      "keep one initial_state",
    );
  }
  const shape = initial === undefined ? tensor.dims.map((dim) => (dim === -1 ? 1 : dim)) : initial.dims.map(Number);
  if (initial !== undefined) checkInitial(state, initial);
  const byteLength = zeroByteLength(tensor.datatype, shape);
  if (!(byteLength >= 0 && byteLength <= MOST_BYTES)) {
    throw refusal(
      `state '${name}' of model '${context.model}' would take ${byteLength} bytes at the start of a sequence`,
      "correct its dims",
    );
  }
  if (initial?.stateData.case !== "dataFile") return { shape, bytes: new Uint8Array(byteLength) };
  const file = initial.stateData.value;
  return { shape, bytes: fileValue(context.readInitialState(file), { ...tensor, shape, file, name, byteLength }) };
}

function checkInitial(state: ModelSequenceBatching_State, initial: ModelSequenceBatching_InitialState): void {
  const name = state.inputName;
  if (initial.dataType !== state.dataType) {
    throw refusal(
      `The data type used for 'initial_state' field of state '${name}' does not match the state data type.`,
      `write data_type: ${DataType[state.dataType] ?? state.dataType} in its initial_state`,
    );
  }
  if (initial.name === "") {
    throw refusal(`Field 'name' must be set when using initial_state for state input '${name}'.`, "write a name");
  }
  if (initial.dims.length !== state.dims.length) {
    throw refusal(
      `Number of dimensions in 'initial_state' doesn't match the size of 'state' dimensions for state input '${name}'. ` +
        `${initial.dims.length} != ${state.dims.length}`,
      "write as many dims in initial_state as in the state",
    );
  }
  for (const [index, dim] of initial.dims.entries()) {
    const declared = state.dims[index];
    if (dim === -1n) {
      throw refusal(
        `'initial_state' field for state input name '${name}' contains variable dimensions.`,
        "write the dims the first value has",
      );
    }
    if (declared !== -1n && dim !== declared) {
      throw refusal(
        `'initial_state' dim for input name '${name}' doesn't match 'state' dim description. ${dim} != ${declared}`,
        "write the dims of the state",
      );
    }
  }
  if (initial.stateData.case === undefined) {
    throw refusal(
      `initial_state setting expects state'${name}' to have state_data set`,
      "write zero_data: true or a data_file",
    );
  }
}

interface FileTensor {
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly file: string;
  readonly name: string;
  readonly byteLength: number;
}

function fileValue(content: Uint8Array, tensor: FileTensor): Uint8Array {
  const { datatype, shape, file, name, byteLength } = tensor;
  if (datatype === "BYTES") {
    const expected = shape.reduce((product, dim) => product * dim, 1);
    const found = countBytesElements(content);
    if (found === expected) return content;
    const got = found === undefined ? "ends inside an element" : `has ${found}`;
    throw refusal(
      `initial_state of state '${name}' expects ${expected} elements, but the data provided from ${file} ${got}`,
      "write every element as its length (4 bytes, little-endian) and its bytes",
    );
  }
  if (content.byteLength < byteLength) {
    // Triton's text has no space before "only".
    throw refusal(
      `initial_state setting expects ${byteLength} bytes, but the data provided from ${file}only has ${content.byteLength} bytes.`,
      "give the file the size of the state's dims and data type",
    );
  }
  if (content.byteLength > byteLength) {
    throw refusal(
      `initial_state setting expects ${byteLength} bytes, but the data provided from ${file} has ${content.byteLength} bytes.`,
      "give the file the size of the state's dims and data type",
    );
  }
  return content;
}

function refusal(message: string, fix: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", message, { fix });
}
