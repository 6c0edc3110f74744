import { configTypeName } from "../datatype.ts";
import {
  DataType,
  ModelSequenceBatching_Control_Kind as Kind,
  type ModelSequenceBatching_Control,
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

/** Control tensors and strategy of the sequence batcher. */
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
  checkStrategy(scope);
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

function add(scope: Scope, path: string, message: string): void {
  addFor(scope, { code: "sequence-batching", path, message });
}
