import { DATATYPES, type Datatype } from "@nereid/protocol/datatype";
import { DataType } from "./gen/model_config_pb.ts";

/** Protocol name of a config data type; undefined for TYPE_INVALID and unknown numbers. */
export function datatypeFromConfig(type: DataType): Datatype | undefined {
  // The enum counts TYPE_BOOL = 1 ... TYPE_BF16 = 14 in the order of DATATYPES.
  return DATATYPES[type - 1];
}

/** Config data type of a protocol name. */
export function datatypeToConfig(datatype: Datatype): DataType {
  return CONFIG_TYPES[datatype];
}

const CONFIG_TYPES: Readonly<Record<Datatype, DataType>> = {
  BOOL: DataType.TYPE_BOOL,
  UINT8: DataType.TYPE_UINT8,
  UINT16: DataType.TYPE_UINT16,
  UINT32: DataType.TYPE_UINT32,
  UINT64: DataType.TYPE_UINT64,
  INT8: DataType.TYPE_INT8,
  INT16: DataType.TYPE_INT16,
  INT32: DataType.TYPE_INT32,
  INT64: DataType.TYPE_INT64,
  FP16: DataType.TYPE_FP16,
  FP32: DataType.TYPE_FP32,
  FP64: DataType.TYPE_FP64,
  BYTES: DataType.TYPE_STRING,
  BF16: DataType.TYPE_BF16,
};

/** `TYPE_FP32` and so on, as config texts and error messages spell it. */
export function configTypeName(type: DataType): string {
  return DataType[type] ?? String(type);
}
