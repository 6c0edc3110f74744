import type { InstanceSpec } from "../models/model-spec.ts";
import type { LimitedInstance } from "./resource-counts.ts";

/** The instances of a model that ask the limiter before they execute; passive ones never execute. */
export function limitedInstances(model: string, instances: readonly InstanceSpec[]): readonly LimitedInstance[] {
  return instances.flatMap(({ device, rateLimit, passive }) =>
    rateLimit === undefined || passive === true ? [] : [{ model, device, limit: rateLimit }],
  );
}
