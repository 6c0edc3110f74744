import { malformed } from "../wire/malformed.ts";
import type { ProtoReader } from "../wire/proto-reader.ts";
import type { WireParameter } from "./infer-message.ts";

const UNSET: WireParameter = { kind: "unset" };

/** Reads one entry of a `map<string, InferParameter>` into the map. The last of equal keys holds. */
export function readParameterEntry(
  reader: ProtoReader,
  map: Map<string, WireParameter> | undefined,
): Map<string, WireParameter> {
  const into = map ?? new Map<string, WireParameter>();
  const outer = reader.enter("parameters");
  let key = "";
  let value = UNSET;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) key = reader.string("a parameter's name");
    else if (field === 2) value = readParameter(reader, value);
    else reader.skip(field);
  }
  reader.leave(outer);
  into.set(key, value);
  if (into.size > MOST_PARAMETERS) throw malformed(`it has more than ${MOST_PARAMETERS} parameters`);
  return into;
}

/** Far beyond any use; a map of a million entries would only cost time. */
const MOST_PARAMETERS = 10_000;

function readParameter(reader: ProtoReader, before: WireParameter): WireParameter {
  let value = before;
  const outer = reader.enter("a parameter");
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    switch (field) {
      case 1:
        value = { kind: "bool", value: reader.bool("bool_param") };
        break;
      case 2:
        value = { kind: "int64", value: reader.int64("int64_param") };
        break;
      case 3:
        value = { kind: "string", value: reader.string("string_param") };
        break;
      case 4:
        value = { kind: "double", value: reader.double("double_param") };
        break;
      case 5:
        value = { kind: "uint64", value: reader.uint64("uint64_param") };
        break;
      default:
        reader.skip(field);
    }
  }
  reader.leave(outer);
  return value;
}
