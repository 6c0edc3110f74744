import { readFileSync } from "node:fs";
import { constants } from "node:http2";
import { connect, type Socket } from "node:net";
import { deflateSync, gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { status } from "@grpc/grpc-js";
import { ModelInferRequestSchema } from "@nereid/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, GrpcJsClient } from "../testing/grpc-js-client.ts";
import { floatRequest, floatsOf } from "../testing/grpc-requests.ts";
import { framed, RawGrpc, replyOf } from "../testing/raw-grpc.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { identity, offset } from "../testing/test-model.ts";

const LIMIT = 8 << 20;
const INFER = "/inference.GRPCInferenceService/ModelInfer";
const LIVE = "/inference.GRPCInferenceService/ServerLive";
const MIB = 1 << 20;

let server: TestServer;
let client: GrpcJsClient;
beforeAll(async () => {
  server = await startTestServer({
    models: [offset("plus", 1), identity("same")],
    args: [`--grpc-max-message-bytes=${LIMIT}`],
  });
  client = new GrpcJsClient(server.grpcAddress);
});
afterAll(async () => {
  client.close();
  await server.dispose();
});

/** Runs against a connection of its own. */
async function withRaw<T>(use: (raw: RawGrpc) => Promise<T>): Promise<T> {
  const raw = new RawGrpc(server.grpcAddress);
  try {
    return await use(raw);
  } finally {
    raw.close();
  }
}

/** Resident memory of the server, in bytes. */
function rss(): number {
  const [, kib = "0"] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
  return Number(kib) * 1024;
}

const well = async () => {
  const answer = await client.call("modelInfer", floatRequest("plus", [[1]]));
  expect(floatsOf(answer.rawOutputContents[0])).toEqual([2]);
};
const request = (bytes: Uint8Array) =>
  toBinary(
    ModelInferRequestSchema,
    create(ModelInferRequestSchema, {
      modelName: "same",
      inputs: [{ name: "INPUT_FP32", datatype: "FP32", shape: [1n, BigInt(bytes.length / 4)] }],
      rawInputContents: [bytes],
    }),
  );
const good = () => toBinary(ModelInferRequestSchema, create(ModelInferRequestSchema, floatRequest("plus", [[1]])));

describe("limits", () => {
  it("a message above the limit is refused on its prefix, before it is sent", () =>
    withRaw(async (raw) => {
      const stream = raw.open(INFER);
      const reply = replyOf(stream);
      const prefix = Buffer.alloc(5);
      prefix.writeUInt32BE(LIMIT + 1, 1);
      stream.write(prefix);
      const { trailers } = await reply;
      expect(trailers["grpc-status"]).toBe(String(status.RESOURCE_EXHAUSTED));
      expect(trailers["grpc-message"]).toBe(`Received message larger than max (${LIMIT + 1} vs. ${LIMIT})`);
      await well();
    }));

  it("a client that sends a message above the limit is told so", async () => {
    const failed = client.call("modelInfer", { modelName: "same", rawInputContents: [new Uint8Array(LIMIT + 1)] });
    expect((await failureOf(failed))[0]).toBe(status.RESOURCE_EXHAUSTED);
    await well();
  });

  it.each(["gzip", "deflate"])("a %s bomb is refused, whatever it unpacks to, in bounded memory", (encoding) =>
    withRaw(async (raw) => {
      const zeros = Buffer.alloc(256 * MIB);
      const bomb = encoding === "gzip" ? gzipSync(zeros) : deflateSync(zeros);
      expect(bomb.byteLength).toBeLessThan(MIB);
      const before = rss();
      for (let turn = 0; turn < 5; turn += 1) {
        const { trailers } = await raw.exchange(INFER, framed(bomb, true), { "grpc-encoding": encoding });
        expect(trailers["grpc-status"]).toBe(String(status.RESOURCE_EXHAUSTED));
        expect(trailers["grpc-message"]).toMatch(/^Received message larger than max \(\d+ vs\. 8388608\)$/);
      }
      expect(rss() - before).toBeLessThan(128 * MIB);
      await well();
    }),
  );

  it("messages that were announced and do not come take no memory", () =>
    withRaw(async (raw) => {
      const before = rss();
      const prefix = Buffer.alloc(6);
      prefix.writeUInt32BE(LIMIT, 1);
      const streams = Array.from({ length: 300 }, () => raw.open(INFER));
      for (const stream of streams) stream.write(prefix);
      await raw.exchange(LIVE, framed(new Uint8Array(0)));
      expect(rss() - before).toBeLessThan(128 * MIB);
      await well();
    }));

  it("an answer above the limit is refused with its size", async () => {
    const asked = request(new Uint8Array(1_000_000));
    // The answer says the version too, and the name of the output is longer: it does not fit where the request just does.
    const args = [`--grpc-max-message-bytes=${asked.byteLength}`];
    const own = await startTestServer({ models: [identity("same")], args });
    const raw = new RawGrpc(own.grpcAddress);
    try {
      const { trailers } = await raw.exchange(INFER, framed(asked));
      expect(trailers["grpc-status"]).toBe(String(status.INVALID_ARGUMENT));
      expect(trailers["grpc-message"]).toBe(
        `Response has byte size ${asked.byteLength + 4} which exceeds gRPC's byte size limit ${asked.byteLength}.`,
      );
      expect(await own.api.ready("same")).toBe(true);
    } finally {
      raw.close();
      await own.dispose();
    }
  });
});

describe("compression", () => {
  it.each(["gzip", "deflate"])("of requests by %s is understood", (encoding) =>
    withRaw(async (raw) => {
      const tensor = Buffer.alloc(400_000, 7);
      const message = request(tensor);
      const packed = framed(encoding === "gzip" ? gzipSync(message) : deflateSync(message), true);
      const { trailers, body } = await raw.exchange(INFER, packed, { "grpc-encoding": encoding });
      expect(trailers["grpc-status"]).toBe("0");
      expect(body.includes(tensor)).toBe(true);
      // A message need not be compressed because it may be.
      const plain = await raw.exchange(INFER, framed(message), { "grpc-encoding": encoding });
      expect(plain.body.equals(body)).toBe(true);
    }),
  );

  it("that is unknown is UNIMPLEMENTED, with what is known", () =>
    withRaw(async (raw) => {
      const { trailers, headers } = await raw.exchange(INFER, framed(good()), { "grpc-encoding": "snappy" });
      expect(trailers["grpc-status"]).toBe(String(status.UNIMPLEMENTED));
      expect(headers["grpc-accept-encoding"]).toBe("identity,deflate,gzip");
    }));

  it("that was not announced, or is none, is INTERNAL", () =>
    withRaw(async (raw) => {
      const unannounced = await raw.exchange(INFER, framed(gzipSync(good()), true));
      expect(unannounced.trailers["grpc-status"]).toBe(String(status.INTERNAL));
      const broken = await raw.exchange(INFER, framed(good(), true), { "grpc-encoding": "gzip" });
      expect(broken.trailers["grpc-status"]).toBe(String(status.INTERNAL));
      const flag = framed(good());
      flag[0] = 2;
      expect((await raw.exchange(INFER, flag)).trailers["grpc-status"]).toBe(String(status.INTERNAL));
      await well();
    }));
});

describe("what is no gRPC call", () => {
  it.each([
    ["another content type", { "content-type": "application/json" }, 415],
    ["gRPC-Web", { "content-type": "application/grpc-web" }, 415],
    ["another method", { ":method": "GET" }, 405],
  ])("%s is refused by HTTP", (_what, headers, expected) =>
    withRaw(async (raw) => {
      const reply = await raw.exchange(INFER, Buffer.alloc(0), headers);
      expect(reply.status).toBe(expected);
      expect(reply.trailers["grpc-status"]).toBeUndefined();
    }),
  );

  it("a page of another site is refused", () =>
    withRaw(async (raw) => {
      const { trailers } = await raw.exchange(LIVE, framed(new Uint8Array(0)), { origin: "https://evil.example" });
      expect(trailers["grpc-status"]).toBe(String(status.PERMISSION_DENIED));
    }));

  it.each(["/inference.GRPCInferenceService/Nothing", "/other.Service/ModelInfer", "/", "/__proto__"])(
    "%s is UNIMPLEMENTED",
    (path) =>
      withRaw(async (raw) => {
        const reply = await raw.exchange(path, framed(new Uint8Array(0)));
        expect([reply.status, reply.trailers["grpc-status"]]).toEqual([200, String(status.UNIMPLEMENTED)]);
      }),
  );

  it("a call without a message, one cut off, and one with a timeout that is none are refused", () =>
    withRaw(async (raw) => {
      const statusOf = async (body: Uint8Array, headers = {}) =>
        Number((await raw.exchange(INFER, body, headers)).trailers["grpc-status"]);
      expect(await statusOf(Buffer.alloc(0))).toBe(status.INVALID_ARGUMENT);
      expect(await statusOf(framed(good()).subarray(0, -1))).toBe(status.INTERNAL);
      expect(await statusOf(Buffer.alloc(3))).toBe(status.INTERNAL);
      expect(await statusOf(framed(good()), { "grpc-timeout": "soon" })).toBe(status.INVALID_ARGUMENT);
      await well();
    }));

  it("an HTTP/1 request and random bytes on the port close their connection only", async () => {
    const [host = "", port = ""] = server.grpcAddress.split(":");
    const greet = (text: string | Uint8Array) =>
      new Promise<void>((resolve) => {
        const socket: Socket = connect({ host, port: Number(port) }, () => socket.write(text));
        socket.on("error", () => undefined);
        socket.resume();
        socket.once("close", () => resolve());
      });
    await greet("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await greet(Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 37) % 256)));
    await well();
  });
});

describe("messages that are broken", () => {
  it.each([
    ["a truncated varint", [0x28, 0xff]],
    ["a wrong wire type", [0x08, 0x01]],
    ["10^5 nested groups", Array<number>(100_000).fill(0x43)],
    ["10^5 empty parameters and an unknown model", Array<number[]>(100_000).fill([0x22, 0x00]).flat()],
    ["a million inputs", Array<number[]>(1_000_000).fill([0x2a, 0x00]).flat()],
  ])("%s is refused, and others are served meanwhile", (_what, bytes) =>
    withRaw(async (raw) => {
      const refused = raw.exchange(INFER, framed(Uint8Array.from(bytes)));
      await well();
      const { trailers } = await refused;
      expect([String(status.INVALID_ARGUMENT), String(status.NOT_FOUND)]).toContain(trailers["grpc-status"]);
    }),
  );

  it("unknown fields are skipped", () =>
    withRaw(async (raw) => {
      const message = Buffer.concat([Buffer.from([0xc2, 1, 3, 9, 9, 9, 0xc8, 1, 7]), good()]);
      expect((await raw.exchange(INFER, framed(message))).trailers["grpc-status"]).toBe("0");
    }));

  it("a broken request of another rpc is refused too", () =>
    withRaw(async (raw) => {
      const { trailers } = await raw.exchange(
        "/inference.GRPCInferenceService/ModelMetadata",
        framed(Buffer.of(0x0a, 5)),
      );
      expect(trailers["grpc-status"]).toBe(String(status.INVALID_ARGUMENT));
      const large = await raw.exchange("/inference.GRPCInferenceService/ModelMetadata", framed(Buffer.alloc(2 * MIB)));
      expect(large.trailers["grpc-status"]).toBe(String(status.RESOURCE_EXHAUSTED));
    }));

  it("a stream with a broken message ends with a status", () =>
    withRaw(async (raw) => {
      const path = "/inference.GRPCInferenceService/ModelStreamInfer";
      const { trailers } = await raw.exchange(path, Buffer.concat([framed(good()), framed(Buffer.of(0x28, 0xff))]));
      expect(trailers["grpc-status"]).toBe(String(status.INVALID_ARGUMENT));
      await well();
    }));
});

describe("hostile connections", () => {
  it("a message in frames of one byte is read like any other, in bounded memory", () =>
    withRaw(async (raw) => {
      const before = rss();
      const bytes = framed(request(Buffer.alloc(8_000, 3)));
      const stream = raw.open(INFER);
      const reply = replyOf(stream);
      for (const byte of bytes) stream.write(Uint8Array.of(byte));
      stream.end();
      expect((await reply).trailers["grpc-status"]).toBe("0");
      expect(rss() - before).toBeLessThan(64 * MIB);
    }));

  it("streams that are opened and reset without end cost the client its connection, and others nothing", async () => {
    const raw = new RawGrpc(server.grpcAddress);
    const before = rss();
    let opened = 0;
    const flood = async () => {
      while (opened < 20_000 && !raw.session.closed && !raw.session.destroyed) {
        for (let index = 0; index < 50 && !raw.session.closed && !raw.session.destroyed; index += 1) {
          const stream = raw.open(INFER);
          opened += 1;
          stream.close(constants.NGHTTP2_CANCEL);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([flood(), well()]);
    await raw.closed;
    expect((await raw.goneAway).code).not.toBe(constants.NGHTTP2_NO_ERROR);
    expect(opened).toBeLessThan(20_000);
    expect(rss() - before).toBeLessThan(64 * MIB);
    await well();
  });

  it("pings come too often: the connection is closed with too_many_pings; calls forgive them", async () => {
    const raw = new RawGrpc(server.grpcAddress);
    try {
      const ping = () => new Promise<void>((resolve) => raw.session.ping(() => resolve()));
      for (let turn = 0; turn < 4; turn += 1) {
        await ping();
        await ping();
        expect((await raw.exchange(LIVE, framed(new Uint8Array(0)))).trailers["grpc-status"]).toBe("0");
      }
      for (let turn = 0; turn < 4 && !raw.session.destroyed; turn += 1) await ping();
      expect(await raw.goneAway).toEqual({ code: constants.NGHTTP2_ENHANCE_YOUR_CALM, text: "too_many_pings" });
      await raw.closed;
    } finally {
      raw.close();
    }
  });

  it("a client that does not read its answers is dropped, and what they hold is given back", async () => {
    const raw = new RawGrpc(server.grpcAddress);
    try {
      raw.session.settings({ initialWindowSize: 0 });
      await new Promise<void>((resolve) => raw.session.ping(() => resolve()));
      const stream = raw.open(INFER);
      stream.end(framed(request(Buffer.alloc(4 * MIB))));
      const closed = new Promise<number>((resolve) => stream.once("close", () => resolve(stream.rstCode)));
      expect(await closed).toBe(constants.NGHTTP2_CANCEL);
      await well();
    } finally {
      raw.close();
    }
  });
});

describe("the life of a connection", () => {
  it("ends after its age with GOAWAY, and calls in progress finish", async () => {
    const own = await startTestServer({ models: [offset("plus", 1)], args: ["--grpc-max-connection-age=300"] });
    const raw = new RawGrpc(own.grpcAddress);
    try {
      const stream = raw.open(INFER);
      const reply = replyOf(stream);
      expect((await raw.goneAway).code).toBe(constants.NGHTTP2_NO_ERROR);
      stream.end(framed(good()));
      expect((await reply).trailers["grpc-status"]).toBe("0");
      await raw.closed;
    } finally {
      raw.close();
      await own.dispose();
    }
  });

  it("ends when the client does not answer pings", async () => {
    const args = [
      "--grpc-keepalive-time=200",
      "--grpc-keepalive-timeout=200",
      "--grpc-keepalive-permit-without-calls=true",
    ];
    const own = await startTestServer({ models: [offset("plus", 1)], args });
    try {
      const answering = new RawGrpc(own.grpcAddress);
      const [host = "", port = ""] = own.grpcAddress.split(":");
      // The preface and empty settings, and then silence.
      const deaf = connect({ host, port: Number(port) });
      deaf.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      deaf.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
      deaf.on("error", () => undefined);
      deaf.resume();
      await new Promise<void>((resolve) => deaf.once("close", () => resolve()));
      expect((await answering.exchange(LIVE, framed(new Uint8Array(0)))).trailers["grpc-status"]).toBe("0");
      answering.close();
    } finally {
      await own.dispose();
    }
  });

  it("and its calls are counted by rpc and code", async () => {
    await well();
    await withRaw((raw) => raw.exchange("/made.up/Name", framed(new Uint8Array(0))));
    const page = await (await fetch(server.metricsUrl)).text();
    expect(page).toMatch(/nereid_grpc_requests_total\{code="OK",rpc="ModelInfer"\} \d/);
    // What clients make up as a name of an rpc is one row.
    expect(page).toMatch(/nereid_grpc_requests_total\{code="UNIMPLEMENTED",rpc="unknown"\} \d/);
    expect(page).toMatch(/nereid_requests_in_flight\{protocol="grpc"\} \d/);
  });
});
