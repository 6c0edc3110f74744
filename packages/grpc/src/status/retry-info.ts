import { VARINT } from "../wire/proto-reader.ts";
import { ProtoWriter } from "../wire/proto-writer.ts";

const TYPE_URL = "type.googleapis.com/google.rpc.RetryInfo";
const MS_PER_S = 1000;
const NS_PER_MS = 1_000_000;

/**
 * Value of the trailer `grpc-status-details-bin`: a google.rpc.Status with a RetryInfo, in base64 without padding, as the gRPC
 * wire format has binary trailers. `code` is the number of the status.
 */
export function encodeRetryInfo(
  status: { readonly code: number; readonly message: string },
  retryAfterMs: number,
): string {
  const writer = new ProtoWriter(256);
  number(writer, 1, status.code);
  writer.string(2, status.message);
  const details = writer.begin(3);
  writer.string(1, TYPE_URL);
  const info = writer.begin(2);
  const delay = writer.begin(1);
  const whole = Math.floor(retryAfterMs / MS_PER_S);
  if (whole > 0) number(writer, 1, whole);
  const nanos = Math.round((retryAfterMs % MS_PER_S) * NS_PER_MS);
  if (nanos > 0) number(writer, 2, nanos);
  writer.end(delay);
  writer.end(info);
  writer.end(details);
  return writer.copy().toString("base64").replaceAll("=", "");
}

function number(writer: ProtoWriter, field: number, value: number): void {
  writer.tag(field, VARINT);
  writer.varint(value);
}
