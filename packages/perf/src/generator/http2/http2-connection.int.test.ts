import { once } from "node:events";
import {
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
  type ServerOptions,
} from "node:http2";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { encodeFrame, FLAG, FRAME, SETTING, settingsFrame, windowUpdateFrame } from "./frames.ts";
import { Http2Connection } from "./http2-connection.ts";

const open: (Http2Server | Server | Http2Connection)[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function listen(server: Http2Server | Server): Promise<number> {
  open.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

type Serve = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

async function connectedTo(serve: Serve, { options = {}, headers = {} }: ConnectedOptions = {}) {
  const server = createServer(options);
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    serve(stream, headers);
  });
  server.on("sessionError", () => undefined);
  return connection(await listen(server), headers);
}

interface ConnectedOptions {
  readonly options?: ServerOptions;
  readonly headers?: Record<string, string>;
}

function connection(port: number, headers: Record<string, string> = {}): Http2Connection {
  const pseudo = { ":method": "POST", ":scheme": "http", ":authority": `127.0.0.1:${port}`, ":path": "/echo" };
  const made = new Http2Connection({ host: "127.0.0.1", port, headers: { ...pseudo, ...headers } });
  open.push(made);
  return made;
}

interface Answered {
  readonly error: string | undefined;
  readonly isUntouched: boolean;
  /** Of the answer and its trailers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

function call(of: Http2Connection, pieces: readonly Buffer[]): Promise<Answered> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let headers: Record<string, string> = {};
    const stream = of.begin({
      onSent: () => undefined,
      onHeaders: (more) => {
        headers = { ...headers, ...Object.fromEntries(more) };
      },
      onData: (chunk) => chunks.push(Buffer.from(chunk)),
      onEnd: (failure) =>
        resolve({
          error: failure?.why,
          isUntouched: failure?.isUntouched === true,
          headers,
          body: Buffer.concat(chunks),
        }),
    });
    for (const [at, piece] of pieces.entries()) stream.write(piece, { last: at === pieces.length - 1 });
  });
}

const echo: Serve = (stream, headers) => {
  stream.respond({ ":status": 200, told: headers["x-told"] ?? "" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", again: headers["x-told"] ?? "" }));
  stream.pipe(stream);
};

const noise = (bytes: number, seed: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 31 + seed) & 0xff));

describe("a connection to a server of HTTP/2", () => {
  it("brings every byte of every call there and back, whatever the server's windows, padding and memory for headers", async () => {
    const settings = fc.record({
      initialWindowSize: fc.constantFrom(1, 1000, 65_535, 1 << 20),
      headerTableSize: fc.constantFrom(0, 100, 4096, 65_536),
    });
    const calls = fc.array(fc.array(fc.nat(40_000), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    const told = fc.string({ unit: fc.constantFrom(..."aZ09 !~|\\{}"), maxLength: 300 }).map((text) => text.trim());
    const padding = fc.constantFrom(constants.PADDING_STRATEGY_NONE, constants.PADDING_STRATEGY_MAX);
    await fc.assert(
      fc.asyncProperty(settings, calls, told, padding, async (own, sizes, text, paddingStrategy) => {
        // One byte at a time is slow: what it is to show needs no more than some hundred.
        const scale = own.initialWindowSize === 1 ? 0.005 : 1;
        const bodies = sizes.map((pieces, at) => pieces.map((bytes) => noise(Math.ceil(bytes * scale), at)));
        const to = await connectedTo(echo, {
          options: { settings: own, paddingStrategy },
          headers: { "x-told": text },
        });
        await to.open();
        const answers = await Promise.all(bodies.map((pieces) => call(to, pieces)));
        for (const [at, { error, headers, body }] of answers.entries()) {
          expect(error).toBeUndefined();
          expect(headers).toMatchObject({ ":status": "200", told: text, "grpc-status": "0", again: text });
          expect(body.equals(Buffer.concat(bodies[at] ?? []))).toBe(true);
        }
        // A second turn: by now headers are references, where the server remembers any.
        const again = await call(to, [noise(10, 3)]);
        expect(again).toMatchObject({ error: undefined, headers: { told: text }, body: noise(10, 3) });
        to.close();
      }),
      { numRuns: 40 },
    );
  });

  it("sends calls that begin before the server was reached", async () => {
    const to = await connectedTo(echo);
    expect(await call(to, [noise(100, 1)])).toMatchObject({ error: undefined, body: noise(100, 1) });
  });

  it("sends headers that are longer than a frame", async () => {
    const long = "x".repeat(50_000);
    const to = await connectedTo(echo, { headers: { "x-told": "short", "x-long": long } });
    expect(await call(to, [noise(1, 1)])).toMatchObject({ error: undefined, headers: { told: "short" } });
  });

  it("takes an answer larger than all windows", async () => {
    const to = await connectedTo((stream) => {
      stream.respond({ ":status": 200 });
      stream.end(Buffer.alloc(40 << 20, 7));
    });
    const { error, body } = await call(to, [noise(1, 1)]);
    expect(error).toBeUndefined();
    expect(body.byteLength).toBe(40 << 20);
  });

  it("says that the server reset a call, and goes on with others", async () => {
    let turn = 0;
    const to = await connectedTo((stream, headers) => {
      turn += 1;
      if (turn === 1) stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      else echo(stream, headers);
    });
    expect((await call(to, [noise(1, 1)])).error).toBe("the server reset the call with code 11");
    expect((await call(to, [noise(1, 1)])).error).toBeUndefined();
  });

  it("ends a call whose answer comes before all of it was sent", async () => {
    const closed: number[] = [];
    const options = { settings: { initialWindowSize: 100 } };
    const to = await connectedTo(
      (stream) => {
        stream.on("close", () => closed.push(stream.rstCode));
        stream.respond({ ":status": 200, "grpc-status": "8" }, { endStream: true });
      },
      { options },
    );
    await to.open();
    const { error, headers } = await call(to, [noise(10_000, 1)]);
    expect({ error, status: headers["grpc-status"] }).toEqual({ error: undefined, status: "8" });
    await expect.poll(() => closed).toHaveLength(1);
  });

  it("takes no new call once the server goes away, and ends those it has", async () => {
    const to = await connectedTo((stream, headers) => {
      stream.session?.goaway();
      echo(stream, headers);
    });
    expect((await call(to, [noise(1, 1)])).error).toBeUndefined();
    expect(to.isUsable).toBe(false);
  });

  it("ends every call of a connection that breaks", async () => {
    const to = await connectedTo((stream) => {
      stream.session?.destroy();
    });
    const both = await Promise.all([call(to, [noise(1, 1)]), call(to, [noise(1, 2)])]);
    for (const { error } of both) expect(error).toBeTypeOf("string");
    expect(to.isUsable).toBe(false);
    expect((await call(to, [noise(1, 1)])).error).toBeTypeOf("string");
  });

  it("failed calls beyond what the server takes at once: they wait", async () => {
    let [now, most] = [0, 0];
    const options = { settings: { maxConcurrentStreams: 2 } };
    const to = await connectedTo(
      (stream, headers) => {
        now += 1;
        most = Math.max(most, now);
        stream.on("close", () => {
          now -= 1;
        });
        echo(stream, headers);
      },
      { options },
    );
    await to.open();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => call(to, [noise(1000, at)])));
    expect(answers.map(({ error }) => error)).toEqual(Array(20).fill(undefined));
    expect(most).toBeLessThanOrEqual(2);
  });

  it("kept calls for ever on a connection that the server ended with an error", async () => {
    const to = await connectedTo((stream) =>
      stream.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 2 ** 31 - 1, Buffer.from("calm")),
    );
    const { error } = await call(to, [noise(1, 1)]);
    expect(error).toBe("the server ended the connection with code 11: calm");
    expect(to.isOver).toBe(true);
  });

  it("left the socket open of a connection that takes no more calls", async () => {
    // Node's own server reads no more once it has said that it goes away.
    let sockets = 0;
    const goAway = { type: FRAME.goAway, flags: 0, stream: 0, payload: Buffer.of(0, 0, 0, 1, 0, 0, 0, 0) };
    const status200 = {
      type: FRAME.headers,
      flags: FLAG.endHeaders | FLAG.endStream,
      stream: 1,
      payload: Buffer.of(0x88),
    };
    const server = createTcpServer((socket) => {
      sockets += 1;
      socket.on("close", () => {
        sockets -= 1;
      });
      socket.on("error", () => undefined);
      socket.write(Buffer.concat([settingsFrame([]), goAway, status200].map(encodeFrame)));
      socket.resume();
    });
    const to = connection(await listen(server));
    expect(await call(to, [noise(1, 1)])).toMatchObject({ error: undefined, headers: { ":status": "200" } });
    await expect.poll(() => sockets).toBe(0);
    expect(await call(to, [noise(1, 1)])).toMatchObject({ error: "the server is going away", isUntouched: true });
  });

  it("waited for ever for a server that takes the connection and says nothing", async () => {
    const port = await listen(createTcpServer((socket) => socket.resume()));
    const headers = { ":method": "POST", ":scheme": "http", ":authority": "x", ":path": "/" };
    const to = new Http2Connection({ host: "127.0.0.1", port, headers, openWithinMs: 50 });
    open.push(to);
    await expect(to.open()).rejects.toThrow("did not answer the beginning of HTTP/2");
  });

  it.each([0, 16_383, 2 ** 24])("looped for ever over frames of an illegal size: %i", async (bytes) => {
    const server = createTcpServer((socket) => socket.write(encodeFrame(settingsFrame([[SETTING.frameBytes, bytes]]))));
    await expect(connection(await listen(server)).open()).rejects.toThrow(`frames of ${bytes} bytes`);
  });

  it("hung with a server that has ended its half and reads nothing", async () => {
    const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
      socket.write(encodeFrame(settingsFrame([[SETTING.windowBytes, 2 ** 30]])));
      socket.write(encodeFrame(windowUpdateFrame(0, 2 ** 30)));
      socket.pause();
      setImmediate(() => socket.end());
    });
    const to = connection(await listen(server));
    await to.open();
    expect((await call(to, [Buffer.alloc(40 << 20)])).error).toBe("the server closed the connection");
  });

  it("does not take the news that an answer will come for the answer", async () => {
    const to = await connectedTo((stream, headers) => {
      stream.additionalHeaders({ ":status": 103, link: "x" });
      echo(stream, headers);
    });
    const { headers } = await call(to, [noise(1, 1)]);
    expect(headers).not.toHaveProperty("link");
    expect(headers[":status"]).toBe("200");
  });

  it("says when nobody listens", async () => {
    const server = createTcpServer();
    const port = await listen(server);
    server.close();
    await once(server, "close");
    await expect(connection(port).open()).rejects.toThrow("ECONNREFUSED");
  });

  it("says when what answers does not speak HTTP/2", async () => {
    const server = createTcpServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"));
    await expect(connection(await listen(server)).open()).rejects.toThrow("does not speak HTTP/2");
  });

  it("takes back a call: its events hear nothing more, and the server is told", async () => {
    const codes: number[] = [];
    const to = await connectedTo((stream) => {
      stream.on("close", () => codes.push(stream.rstCode));
      stream.respond({ ":status": 200 });
    });
    const heard: string[] = [];
    const answered = new Promise<void>((resolve) => {
      const stream = to.begin({
        onSent: () => undefined,
        onHeaders: () => {
          to.cancel(stream);
          resolve();
        },
        onData: () => heard.push("data"),
        onEnd: () => heard.push("end"),
      });
      stream.write(noise(1, 1), { last: false });
    });
    await answered;
    await expect.poll(() => codes).toEqual([constants.NGHTTP2_CANCEL]);
    expect(heard).toEqual([]);
  });
});
