import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, string | bigint>>;
  readonly events: readonly string[];
  readonly statusMessage: string;
}

export interface OtlpCollector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly resource: Readonly<Record<string, string | bigint>>;
  readonly headers: IncomingHttpHeaders;
  close(): Promise<void>;
}

/** A collector that takes traces over OTLP/HTTP as protobuf and reads what the tests look at. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: ReceivedSpan[] = [];
  let resource: Record<string, string | bigint> = {};
  let headers: IncomingHttpHeaders = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      headers = request.headers;
      for (const resourceSpans of all(Buffer.concat(chunks), 1)) {
        resource = { ...resource, ...attributes(all(first(resourceSpans, 1), 1)) };
        for (const scope of all(resourceSpans, 2)) spans.push(...all(scope, 2).map(readSpan));
      }
      response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    spans,
    get resource() {
      return resource;
    },
    get headers() {
      return headers;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** opentelemetry.proto.trace.v1.Span, by the numbers of its fields. */
function readSpan(span: Buffer): ReceivedSpan {
  return {
    traceId: first(span, 1).toString("hex"),
    spanId: first(span, 2).toString("hex"),
    parentSpanId: first(span, 4).toString("hex"),
    name: first(span, 5).toString("utf8"),
    startNs: long(first(span, 7)),
    endNs: long(first(span, 8)),
    attributes: attributes(all(span, 9)),
    events: all(span, 11).map((event) => first(event, 2).toString("utf8")),
    statusMessage: first(first(span, 15), 2).toString("utf8"),
  };
}

function attributes(pairs: readonly Buffer[]): Record<string, string | bigint> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const value = first(pair, 2);
      const [text] = all(value, 1);
      return [first(pair, 1).toString("utf8"), text === undefined ? long(first(value, 3)) : text.toString("utf8")];
    }),
  );
}

const EMPTY = Buffer.alloc(0);

function first(message: Buffer, field: number): Buffer {
  return all(message, field)[0] ?? EMPTY;
}

function long(bytes: Buffer): bigint {
  return bytes.length === 8 ? bytes.readBigUInt64LE() : 0n;
}

/** Contents of every occurrence of a field of a protobuf message; numbers as eight bytes. */
function all(message: Buffer, field: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at] ?? 0;
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    let content: Buffer;
    switch (tag & 7) {
      case 0:
        content = Buffer.alloc(8);
        content.writeBigUInt64LE(varint());
        break;
      case 1:
        content = message.subarray(at, at + 8);
        at += 8;
        break;
      case 2: {
        const length = Number(varint());
        content = message.subarray(at, at + length);
        at += length;
        break;
      }
      default:
        content = message.subarray(at, at + 4);
        at += 4;
    }
    if (tag >> 3 === field) found.push(content);
  }
  return found;
}
