/** The caller's span, as the header `traceparent` tells it. */
export interface ParentSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records this trace. */
  readonly sampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** W3C trace context; undefined for what is none, and a restart of the trace is what the standard asks for then. */
export function parseTraceparent(header: string | undefined): ParentSpan | undefined {
  const match = header === undefined ? null : TRACEPARENT.exec(header.trim());
  if (match === null) return undefined;
  const [, version = "", traceId = "", spanId = "", flags = "", more] = match;
  const known = version !== "ff" && (version !== "00" || more === undefined);
  if (!known || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
