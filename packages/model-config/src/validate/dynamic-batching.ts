import { type ModelQueuePolicy, ModelQueuePolicy_TimeoutAction } from "../gen/model_config_pb.ts";
import { addFor, fixOf, type Scope } from "./scope.ts";

const BLOCK = "dynamic_batching";

/** Preferred sizes, priorities and ordering of the dynamic batcher. `dynamic_batching {}` without batching is legal. */
export function checkDynamicBatching(scope: Scope): void {
  const { schedulingChoice } = scope.config;
  if (schedulingChoice.case !== "dynamicBatching") return;
  const batching = schedulingChoice.value;
  checkPreferredSizes(scope, batching.preferredBatchSize, BLOCK);
  const levels = batching.priorityLevels;
  if (levels !== 0n) checkPriorities(scope, levels, batching);
  if (!batching.preserveOrdering) return;
  if (levels > 1n) {
    addFor(scope, {
      code: "priority-levels",
      path: `${BLOCK}.preserve_ordering`,
      message: "Only one priority level is allowed when 'preserve_ordering' is true",
      help: "Remove preserve_ordering or priority_levels.",
      fix: fixOf(scope.report, "Remove preserve_ordering", { op: "remove", path: `${BLOCK}.preserve_ordering` }),
    });
  }
  const policies: [string, ModelQueuePolicy | undefined][] = [
    [`${BLOCK}.default_queue_policy`, batching.defaultQueuePolicy],
    ...Object.entries(batching.priorityQueuePolicy).map(([level, policy]): [string, ModelQueuePolicy] => [
      `${BLOCK}.priority_queue_policy["${level}"]`,
      policy,
    ]),
  ];
  for (const [path, policy] of policies) {
    if (policy?.timeoutAction !== ModelQueuePolicy_TimeoutAction.DELAY || policy.defaultTimeoutMicroseconds === 0n) {
      continue;
    }
    addFor(scope, {
      code: "dynamic-batching",
      path: `${path}.timeout_action`,
      message: "Queue policy can not have DELAY as timeout action when 'preserve_ordering' is true",
      help: "Write timeout_action: REJECT, or remove preserve_ordering.",
      fix: fixOf(scope.report, "Write REJECT", { op: "set", path: `${path}.timeout_action`, value: "REJECT" }),
    });
  }
}

function checkPriorities(
  scope: Scope,
  levels: bigint,
  batching: { defaultPriorityLevel: bigint; priorityQueuePolicy: Readonly<Record<string, unknown>> },
): void {
  const { defaultPriorityLevel: level } = batching;
  if (level < 1n || level > levels) {
    addFor(scope, {
      code: "priority-levels",
      path: `${BLOCK}.default_priority_level`,
      message: `default priority level must be in range [1, ${levels}]`,
      help: "priority_levels needs a default_priority_level; 1 is the highest priority.",
      fix: fixOf(scope.report, "Write default_priority_level: 1", {
        op: "set",
        path: `${BLOCK}.default_priority_level`,
        value: 1,
      }),
    });
  }
  for (const key of Object.keys(batching.priorityQueuePolicy)) {
    if (BigInt(key) >= 1n && BigInt(key) <= levels) continue;
    addFor(scope, {
      code: "priority-levels",
      path: `${BLOCK}.priority_queue_policy["${key}"]`,
      message: `priority queue policy must have priority level in range [1, ${levels}]`,
      help: `Remove it, or raise priority_levels to ${key}.`,
      fix: fixOf(scope.report, "Remove it", { op: "remove", path: `${BLOCK}.priority_queue_policy["${key}"]` }),
    });
  }
}

/** Preferred batch sizes of the dynamic batcher or of the oldest strategy. */
export function checkPreferredSizes(scope: Scope, sizes: readonly number[], block: string): void {
  const max = scope.config.maxBatchSize;
  const what = block === BLOCK ? "dynamic batching" : "sequence batching";
  for (const [index, size] of sizes.entries()) {
    const path = `${block}.preferred_batch_size[${index}]`;
    if (size <= 0) {
      addFor(scope, {
        code: "preferred-batch-size",
        path,
        message: `${what} preferred size must be positive`,
        fix: fixOf(scope.report, "Remove it", { op: "remove", path }),
      });
    } else if (size > max) {
      addFor(scope, {
        code: "preferred-batch-size",
        path,
        message: `${what} preferred size must be <= max batch size`,
        help: `max_batch_size is ${max}; write a preferred size from 1 to ${max}, or raise max_batch_size.`,
        fix: fixOf(
          scope.report,
          max > 0 ? `Write ${max}` : "Remove it",
          max > 0 ? { op: "set", path, value: max } : { op: "remove", path },
        ),
      });
    }
  }
}
