import { once } from "node:events";
import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { callHeaders } from "./grpc-call.ts";
import { GrpcConnections } from "./grpc-connections.ts";
import type { LoadTarget } from "./load-spec.ts";
import { spec } from "./testing/spec.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const TARGET: LoadTarget = { ...spec.target, protocol: "grpc", host: "127.0.0.1" };

interface Served {
  readonly lane: ReturnType<GrpcConnections["lane"]>;
  readonly connections: GrpcConnections;
}

async function serve(
  answer: (stream: ServerHttp2Stream, turn: number) => void,
  target: Partial<LoadTarget> = {},
): Promise<Served> {
  const server = createServer();
  let turn = 0;
  server.on("stream", (stream) => {
    stream.on("error", () => undefined);
    turn += 1;
    answer(stream, turn);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const connections = new GrpcConnections({ ...TARGET, port: (server.address() as AddressInfo).port, ...target });
  closers.push(
    () => connections.close(),
    () => server.close(),
  );
  return { lane: connections.lane(), connections };
}

const MESSAGE = Buffer.of(0, 0, 0, 0, 0);

function answerWell(stream: ServerHttp2Stream): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.resume().end(MESSAGE);
}

describe("a lane of unary calls", () => {
  it("failed what the server had refused untouched: it is sent once more", async () => {
    const { lane } = await serve((stream, turn) => {
      if (turn < 3) stream.close(7);
      else answerWell(stream);
    });
    expect((await lane.send(MESSAGE)).error).toBeUndefined();
  });

  it("sends what is always refused so often and no more", async () => {
    let turns = 0;
    const { lane } = await serve((stream) => {
      turns += 1;
      stream.close(7);
    });
    expect((await lane.send(MESSAGE)).error).toBe("the server reset the call with code 7");
    expect(turns).toBe(3);
  });

  it("said that a status was missing where a proxy had answered", async () => {
    const { lane } = await serve((stream) => stream.respond({ ":status": 502 }, { endStream: true }));
    expect((await lane.send(MESSAGE)).error).toBe("HTTP status 502");
  });

  it("sends and closes nothing more once its connections are closed", async () => {
    let turns = 0;
    const { lane, connections } = await serve((stream) => {
      turns += 1;
      answerWell(stream);
    });
    expect((await lane.send(MESSAGE)).error).toBeUndefined();
    connections.close();
    expect((await lane.send(MESSAGE)).error).toBe("the connection was closed");
    expect((await connections.lane().send(MESSAGE)).error).toBe("the connection was closed");
    expect(turns).toBe(1);
  });
});

describe("a lane of a stream", () => {
  /** ModelStreamInferResponse: an error; or an answer with one output, or the empty end of them. */
  const text = (field: number, value: string) =>
    Buffer.concat([Buffer.of((field << 3) | 2, value.length), Buffer.from(value)]);
  const framed = (message: Buffer) => Buffer.concat([Buffer.of(0, 0, 0, 0, message.byteLength), message]);
  const nested = (field: number, inner: Buffer) =>
    Buffer.concat([Buffer.of((field << 3) | 2, inner.byteLength), inner]);
  const finalParameter = nested(4, Buffer.concat([text(1, "triton_final_response"), nested(2, Buffer.of(8, 1))]));
  const output = nested(5, Buffer.concat([text(1, "OUT"), text(2, "INT32"), nested(3, Buffer.of(1))]));
  const error = framed(text(1, "broken"));
  const last = framed(nested(2, Buffer.concat([text(1, "m"), finalParameter])));
  const whole = framed(nested(2, Buffer.concat([text(1, "m"), finalParameter, output, nested(6, Buffer.alloc(4))])));

  it("took what came late of a failed request for the answer to the next one", async () => {
    let asked = 0;
    const { lane } = await serve(
      (stream) => {
        stream.respond({ ":status": 200, "content-type": "application/grpc" });
        stream.on("data", () => {
          asked += 1;
          if (asked > 1) return;
          stream.write(error);
          setImmediate(() => stream.writable && stream.write(last));
        });
      },
      { streaming: true, decoupled: true },
    );
    expect((await lane.send(MESSAGE)).error).toBe("broken");
    const second = lane.send(MESSAGE);
    let answered = false;
    void second.then(() => {
      answered = true;
    });
    await expect.poll(() => asked).toBe(2);
    // It was asked and has not answered: nothing that came before may count.
    expect(answered).toBe(false);
  });

  it("carries one request after the other", async () => {
    let streams = 0;
    const { lane } = await serve(
      (stream, turn) => {
        streams = turn;
        stream.respond({ ":status": 200, "content-type": "application/grpc" });
        stream.on("data", () => stream.write(whole));
      },
      { streaming: true, decoupled: true },
    );
    for (let turn = 0; turn < 3; turn += 1) {
      const { error: failed, responsesMs } = await lane.send(MESSAGE);
      expect([failed, responsesMs.length]).toEqual([undefined, 1]);
    }
    expect(streams).toBe(1);
  });
});

it("headers that were asked for in another case were sent beside ours", () => {
  const headers = callHeaders({ ...TARGET, headers: { "Content-Type": "application/grpc+proto", "X-Team": "a" } });
  expect(headers).toMatchObject({ "content-type": "application/grpc+proto", "x-team": "a" });
  expect(Object.keys(headers)).not.toContain("Content-Type");
});
