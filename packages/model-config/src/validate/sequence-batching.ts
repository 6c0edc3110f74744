import { configTypeName } from "../datatype.ts";
import type { Fix } from "../diagnostic.ts";
import {
  DataType,
  ModelSequenceBatching_Control_Kind as Kind,
  type ModelSequenceBatching_Control,
  type ModelSequenceBatching_InitialState,
  type ModelSequenceBatching_State,
} from "../gen/model_config_pb.ts";
import { checkPreferredSizes } from "./dynamic-batching.ts";
import { addFor, fixOf, type Scope } from "./scope.ts";

const BLOCK = "sequence_batching";
const CORRID_TYPES: readonly DataType[] = [
  DataType.TYPE_UINT64,
  DataType.TYPE_INT64,
  DataType.TYPE_UINT32,
  DataType.TYPE_INT32,
  DataType.TYPE_STRING,
];

/** Control tensors, states and strategy of the sequence batcher. */
export function checkSequenceBatching(scope: Scope): void {
  const { schedulingChoice } = scope.config;
  if (schedulingChoice.case !== "sequenceBatching") return;
  const batching = schedulingChoice.value;
  const seenKinds = new Map<Kind, string>();
  const seenNames = new Set<string>();
  for (const [index, input] of batching.controlInput.entries()) {
    const path = `${BLOCK}.control_input[${index}]`;
    if (input.name === "") add(scope, `${path}.name`, "sequence batching control tensor must have a name");
    if (input.name !== "" && seenNames.has(input.name)) {
      add(scope, `${path}.name`, `sequence batching control tensor '${input.name}' is given more than once`);
    }
    seenNames.add(input.name);
    warnAboutClientInput(scope, input.name, "control");
    if (input.control.length > 1) {
      const message = `sequence batching control tensor '${input.name}' must stand for one control kind only`;
      add(scope, `${path}.control[1]`, message);
    }
    for (const [at, control] of input.control.entries()) {
      const where = `${path}.control[${at}]`;
      if (seenKinds.has(control.kind)) {
        add(scope, where, `sequence batching specifies multiple ${Kind[control.kind] ?? control.kind} tensors`);
      }
      seenKinds.set(control.kind, input.name);
      checkControl(scope, control, where);
    }
  }
  checkStates(scope, batching.state);
  checkStrategy(scope);
}

/** Legal for Triton at this point; the model would get the tensor twice, or clients would have to send what the server sets. */
function warnAboutClientInput(scope: Scope, name: string, what: "control" | "state"): void {
  const index = scope.config.input.findIndex((input) => input.name === name);
  if (index === -1 || name === "") return;
  addFor(scope, {
    severity: "warning",
    code: "sequence-batching",
    path: `input[${index}]`,
    message: `'${name}' is a sequence batching ${what} tensor, which the server sets, and a model input, which clients send,`,
    help: `Remove '${name}' from input.`,
    fix: fixOf(scope.report, "Remove it from input", { op: "remove", path: `input[${index}]` }),
  });
}

function checkStates(scope: Scope, states: readonly ModelSequenceBatching_State[]): void {
  const inputs = new Set<string>();
  const outputs = new Set<string>();
  for (const [index, state] of states.entries()) {
    const path = `${BLOCK}.state[${index}]`;
    const { inputName, outputName } = state;
    if (inputName === "") add(scope, `${path}.input_name`, "sequence batching state must specify 'input_name'");
    if (outputName === "") add(scope, `${path}.output_name`, "sequence batching state must specify 'output_name'");
    if (inputName !== "" && inputs.has(inputName)) {
      refuse(scope, `${path}.input_name`, `State input name '${inputName}' specified more than once.`);
    }
    if (outputName !== "" && outputs.has(outputName)) {
      refuse(scope, `${path}.output_name`, `State output name '${outputName}' specified more than once.`);
    }
    inputs.add(inputName);
    outputs.add(outputName);
    warnAboutClientInput(scope, inputName, "state");
    if (state.dataType === DataType.TYPE_INVALID || DataType[state.dataType] === undefined) {
      add(scope, `${path}.data_type`, `sequence batching state '${inputName}' must specify 'data_type'`);
    }
    for (const [at, dim] of state.dims.entries()) {
      if (dim >= 1n || dim === -1n) continue;
      const message = `sequence batching state '${inputName}' dimension must be integer >= 1, or -1 to indicate a variable-size dimension`;
      add(scope, `${path}.dims[${at}]`, message);
    }
    if (state.initialState.length > 1) {
      refuse(
        scope,
        `${path}.initial_state[1]`,
        `initial_state field for state input '${inputName}' must contain exactly one or zero element. Found '${state.initialState.length}' elements.`,
      );
    }
    const [initial] = state.initialState;
    if (initial !== undefined) checkInitialState(scope, { state, initial }, `${path}.initial_state[0]`);
  }
}

/** Texts without the model's name, as Triton writes them while it builds the scheduler. */
function checkInitialState(
  scope: Scope,
  { state, initial }: { state: ModelSequenceBatching_State; initial: ModelSequenceBatching_InitialState },
  path: string,
): void {
  const name = state.inputName;
  if (initial.dataType !== state.dataType) {
    refuse(
      scope,
      `${path}.data_type`,
      `The data type used for 'initial_state' field of state '${name}' does not match the state data type.`,
      fixOf(scope.report, `Write ${configTypeName(state.dataType)}`, {
        op: "set",
        path: `${path}.data_type`,
        value: configTypeName(state.dataType),
      }),
    );
  }
  if (initial.name === "") {
    refuse(scope, `${path}.name`, `Field 'name' must be set when using initial_state for state input '${name}'.`);
  }
  if (initial.dims.length !== state.dims.length) {
    refuse(
      scope,
      `${path}.dims`,
      `Number of dimensions in 'initial_state' doesn't match the size of 'state' dimensions for state input '${name}'. ` +
        `${initial.dims.length} != ${state.dims.length}`,
    );
  } else {
    for (const [at, dim] of initial.dims.entries()) {
      const declared = state.dims[at];
      if (dim === -1n) {
        refuse(
          scope,
          `${path}.dims[${at}]`,
          `'initial_state' field for state input name '${name}' contains variable dimensions.`,
        );
      } else if (declared !== -1n && dim !== declared) {
        const message = `'initial_state' dim for input name '${name}' doesn't match 'state' dim description. ${dim} != ${declared}`;
        refuse(scope, `${path}.dims[${at}]`, message);
      }
    }
  }
  if (initial.stateData.case === undefined) {
    refuse(scope, path, `initial_state setting expects state'${name}' to have state_data set`);
  }
}

function checkControl(scope: Scope, control: ModelSequenceBatching_Control, path: string): void {
  const kind = Kind[control.kind] ?? String(control.kind);
  const given = [
    { name: "int32_false_true", count: control.int32FalseTrue.length },
    { name: "fp32_false_true", count: control.fp32FalseTrue.length },
    { name: "bool_false_true", count: control.boolFalseTrue.length },
  ].filter((pair) => pair.count > 0);
  const [first, second] = given;
  if (control.kind === Kind.CONTROL_SEQUENCE_CORRID) {
    if (first !== undefined) {
      addFor(scope, {
        code: "sequence-batching",
        path: `${path}.${first.name}`,
        message: `sequence batching control ${kind} must not specify '${first.name}'`,
        fix: fixOf(scope.report, `Remove ${first.name}`, { op: "remove", path: `${path}.${first.name}` }),
      });
    }
    if (!CORRID_TYPES.includes(control.dataType)) {
      add(
        scope,
        `${path}.data_type`,
        `unexpected data type ${configTypeName(control.dataType)} of control ${kind}, ` +
          `allowed data types are ${CORRID_TYPES.map(configTypeName).join(", ")}`,
      );
    }
    return;
  }
  if (first === undefined) {
    const message = `sequence batching must specify either 'int32_false_true', 'fp32_false_true' or 'bool_false_true' for ${kind}`;
    add(scope, path, message);
  } else if (second !== undefined) {
    addFor(scope, {
      code: "sequence-batching",
      path: `${path}.${second.name}`,
      message: `sequence batching specifies more than one from 'int32_false_true', 'fp32_false_true' and 'bool_false_true' for ${kind}`,
      help: `Keep ${first.name}, remove ${second.name}.`,
      fix: fixOf(scope.report, `Remove ${second.name}`, { op: "remove", path: `${path}.${second.name}` }),
    });
  }
  for (const pair of given) {
    if (pair.count === 2) continue;
    const message = `sequence batching control '${pair.name}' must have exactly 2 entries for ${kind}`;
    add(scope, `${path}.${pair.name}`, message);
  }
}

function checkStrategy(scope: Scope): void {
  const { schedulingChoice } = scope.config;
  if (schedulingChoice.case !== "sequenceBatching") return;
  const { strategyChoice } = schedulingChoice.value;
  if (strategyChoice.case === "oldest") {
    checkPreferredSizes(scope, strategyChoice.value.preferredBatchSize, `${BLOCK}.oldest`);
  } else if (strategyChoice.case === "direct") {
    const utilization = strategyChoice.value.minimumSlotUtilization;
    // Triton's text excludes 0.0, its check does not.
    if (utilization >= 0 && utilization <= 1) return;
    add(
      scope,
      `${BLOCK}.direct.minimum_slot_utilization`,
      "sequence batching minimum slot utilization must be in range (0.0, 1.0]",
    );
  }
}

function refuse(scope: Scope, path: string, message: string, fix?: Fix): void {
  scope.report.add({ code: "sequence-batching", path, message, fix });
}

function add(scope: Scope, path: string, message: string): void {
  addFor(scope, { code: "sequence-batching", path, message });
}
