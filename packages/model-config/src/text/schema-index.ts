import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { ModelConfigSchema } from "../gen/model_config_pb.ts";

const FIELDS = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** The field of a message with a text format name. */
export function fieldNamed(message: DescMessage, name: string): DescField | undefined {
  let fields = FIELDS.get(message);
  if (fields === undefined) {
    fields = new Map(message.fields.map((field) => [field.name, field]));
    FIELDS.set(message, fields);
  }
  return fields.get(name);
}

/** The message type a field holds: of the field itself, of its elements, or of its map values. */
export function messageOf(field: DescField): DescMessage | undefined {
  return field.message;
}

/** Schema paths (`dynamic_batching.preferred_batch_size`) of every field with a name, shallowest first. */
export function schemaPathsOf(name: string): readonly string[] {
  return PATHS_BY_NAME.get(name) ?? [];
}

const PATHS_BY_NAME: ReadonlyMap<string, readonly string[]> = indexPaths();

function indexPaths(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const queue: { message: DescMessage; prefix: string }[] = [{ message: ModelConfigSchema, prefix: "" }];
  // The schema is not recursive, so this ends.
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const field of at.message.fields) {
      const path = `${at.prefix}${field.name}`;
      found.set(field.name, [...(found.get(field.name) ?? []), path]);
      const inner = messageOf(field);
      if (inner !== undefined) queue.push({ message: inner, prefix: `${path}.` });
    }
  }
  return found;
}
