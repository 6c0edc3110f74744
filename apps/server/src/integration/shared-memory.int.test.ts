import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, parse, whole } from "../testing/test-api.ts";
import { identity, slowEcho } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const SHM = "/dev/shm";
const PREFIX = `nst-shm-${process.pid}-`;
const made = new Set<string>();

/** A client's object with these numbers; its key. */
function object(name: string, values: readonly number[]): string {
  const file = `${SHM}/${PREFIX}${name}`;
  writeFileSync(file, new Uint8Array(Float32Array.from(values).buffer));
  made.add(file);
  return `/${PREFIX}${name}`;
}

const fileOf = (key: string) => `${SHM}${key}`;
const contentOf = (key: string) => Array.from(new Float32Array(Uint8Array.from(readFileSync(fileOf(key))).buffer));

let server: TestServer;

/** Objects of this test that the server has open. */
function openRegions(): number {
  const directory = `/proc/${server.pid}/fd`;
  return readdirSync(directory).filter((fd) => targetOf(`${directory}/${fd}`).startsWith(`${SHM}/${PREFIX}`)).length;
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}
const register = (name: string, body: unknown) =>
  server.api.post(`/v2/systemsharedmemory/region/${name}/register`, body);
const unregister = (name?: string) =>
  server.api.post(`/v2/systemsharedmemory${name === undefined ? "" : `/region/${name}`}/unregister`);
const status = async () => parse<unknown[]>(await server.api.call("/v2/systemsharedmemory/status"));
const window = (region: string, bytes: number, offset?: number) => ({
  shared_memory_region: region,
  shared_memory_byte_size: bytes,
  ...(offset !== undefined && { shared_memory_offset: offset }),
});
const inputAt = (parameters: unknown, shape: readonly number[]) => ({
  name: "INPUT_FP32",
  datatype: "FP32",
  shape,
  parameters,
});
const infer = (inputs: unknown, outputs?: unknown) =>
  server.api.post("/v2/models/m/infer", { inputs, ...(outputs !== undefined && { outputs }) });
const toShm = (parameters: unknown) => [{ name: "OUTPUT_FP32", parameters }];

beforeAll(async () => {
  server = await startTestServer({
    models: [identity("m"), slowEcho("slow", "")],
    args: ["--allow-client-shm=true"],
  });
});
afterAll(() => server.dispose());
afterEach(async () => {
  expect((await unregister()).status).toBe(200);
  for (const file of made) rmSync(file, { force: true, recursive: true });
  made.clear();
  expect(numbersOf(await server.api.infer("m", floats("INPUT_FP32", [[1.5]])))).toEqual([1.5]);
});

describe("a registered region", () => {
  it("is listed, read from, written to, and forgotten", async () => {
    const key = object("all", [1, 2, 3, 0, 0, 0]);
    const reply = await register("r", { key, byte_size: 24 });
    expect([reply.status, reply.text]).toEqual([200, ""]);
    expect(await status()).toEqual([{ name: "r", key, offset: 0, byte_size: 24 }]);
    const one = await server.api.call("/v2/systemsharedmemory/region/r/status");
    expect(JSON.parse(one.text)).toEqual([{ name: "r", key, offset: 0, byte_size: 24 }]);

    const answer = await infer([inputAt(window("r", 8, 4), [1, 2])], toShm(window("r", 8, 12)));
    expect(parse(answer)).toMatchObject({ outputs: [{ name: "OUTPUT_FP32", datatype: "FP32", shape: [1, 2] }] });
    expect(answer.text).not.toContain('"data"');
    expect(contentOf(key)).toEqual([1, 2, 3, 2, 3, 0]);
    // The object itself is the client's; the server only let go of it.
    expect((await unregister("r")).status).toBe(200);
    expect(await status()).toEqual([]);
    expect(existsSync(fileOf(key))).toBe(true);
  });

  it("counts offsets from its own offset", async () => {
    const key = object("offset", [9, 9, 5, 6]);
    await register("r", { key: `//${key}`, offset: 8, byte_size: 8 });
    expect(numbersOf(await infer([inputAt(window("r", 4, 4), [1, 1])]))).toEqual([6]);
  });

  it("moves windows of many slices whole", async () => {
    const count = 1_000_003;
    const values = Array.from({ length: count }, (_, at) => at);
    const key = object("sliced", [...values, ...new Array<number>(count).fill(-1)]);
    await register("r", { key, byte_size: 8 * count });
    const answer = await infer([inputAt(window("r", 4 * count), [1, count])], toShm(window("r", 4 * count, 4 * count)));
    expect(answer.status).toBe(200);
    expect(contentOf(key).slice(count)).toEqual(values);
  });

  it("holds large tensors", async () => {
    const values = Array.from({ length: 100_000 }, (_, at) => at);
    const key = object("large", [...values, ...new Array<number>(100_000).fill(0)]);
    await register("r", { key, byte_size: 800_000 });
    const answer = await infer([inputAt(window("r", 400_000), [1, 100_000])], toShm(window("r", 400_000, 400_000)));
    expect(answer.status).toBe(200);
    expect(contentOf(key).slice(100_000)).toEqual(values);
  });

  it("may be larger than what is written; what lies behind stays", async () => {
    const key = object("room", [7, 0, 8]);
    await register("r", { key, byte_size: 12 });
    expect((await infer(floats("INPUT_FP32", [[4]]), toShm(window("r", 8, 4)))).status).toBe(200);
    expect(contentOf(key)).toEqual([7, 4, 8]);
  });
});

describe("register is refused", () => {
  const cases: readonly (readonly [title: string, body: unknown, status: number, text: string])[] = [
    ["without key", { byte_size: 4 }, 400, "Shared memory register request has no 'key' field"],
    ["without byte_size", { key: "/x" }, 400, "Shared memory register request has no 'byte_size' field"],
    [
      "for a key nobody made",
      { key: "/nst-none", byte_size: 4 },
      500,
      "Unable to open shared memory region: '/nst-none'",
    ],
    [
      "for slashes",
      { key: "//", byte_size: 4 },
      400,
      "cannot register shared memory region 'r' - invalid shm key '//'",
    ],
    ["for nothing", { key: "", byte_size: 4 }, 400, "cannot register shared memory region 'r' - invalid shm key ''"],
    [
      "for the directory",
      { key: "/.", byte_size: 4 },
      400,
      "cannot register shared memory region 'r' - invalid shm key '/.'",
    ],
    [
      "for the parent",
      { key: "..", byte_size: 4 },
      400,
      "cannot register shared memory region 'r' - invalid shm key '..'",
    ],
    [
      "for a way out",
      { key: "/../etc/passwd", byte_size: 4 },
      500,
      "Unable to open shared memory region: '/../etc/passwd'",
    ],
    ["for a path", { key: "/a/b", byte_size: 4 }, 500, "Unable to open shared memory region: '/a/b'"],
    ["for a NUL", { key: "/a\0b", byte_size: 4 }, 500, "Unable to open shared memory region: '/a\0b'"],
    ["for a long key", { key: `/${"k".repeat(300)}`, byte_size: 4 }, 500, "Unable to open shared memory region"],
    [
      "for the Python backend's region",
      { key: "//triton_python_backend_shm_region_1", byte_size: 4 },
      400,
      "cannot register shared memory region 'r' with key '//triton_python_backend_shm_region_1' as the key contains the reserved prefix",
    ],
    ["for a key that is no text", { key: 5, byte_size: 4 }, 500, "Unable to parse 'key'"],
    ["for a negative size", { key: "/x", byte_size: -1 }, 500, "Unable to parse 'byte_size'"],
    ["for a fraction", { key: "/x", byte_size: 1.5 }, 500, "Unable to parse 'byte_size'"],
    ["for a body that is no JSON", "{", 500, "failed to parse the request JSON buffer"],
    ["for an empty body", "", 500, "failed to parse the request JSON buffer"],
  ];

  it.each(cases)("%s", async (_, body, code, text) => {
    const reply = await register("r", body);
    expect(reply.status).toBe(code);
    expect(errorOf(reply).startsWith(text)).toBe(true);
    expect(await status()).toEqual([]);
  });

  it.each([
    [0, 17],
    [16, 1],
    [2 ** 53, 1],
    [0, 2 ** 64 - 2 ** 12],
    [0, 0],
  ])("for offset %d and size %d of an object of 16 bytes", async (offset, byteSize) => {
    const key = object("small", [1, 2, 3, 4]);
    const body = `{"key":"${key}","offset":${BigInt(offset)},"byte_size":${BigInt(byteSize)}}`;
    const reply = await register("r", body);
    expect([reply.status, errorOf(reply)]).toEqual([400, "failed to register shared memory region 'r': invalid args"]);
  });

  it("for a name that is taken, whatever the kind", async () => {
    const key = object("twice", [1]);
    await register("r", { key, byte_size: 4 });
    const cuda = { raw_handle: { b64: Buffer.alloc(64).toString("base64") }, device_id: 0, byte_size: 4 };
    for (const reply of [
      await register("r", { key, byte_size: 4 }),
      await server.api.post("/v2/cudasharedmemory/region/r/register", cuda),
    ]) {
      expect([reply.status, errorOf(reply)]).toEqual([400, "shared memory region 'r' already in manager"]);
    }
  });

  it("without a region, for a link, a directory and the server's own memory", async () => {
    const key = object("target", [1]);
    const nameless = await server.api.post("/v2/systemsharedmemory/register", { key, byte_size: 4 });
    expect([nameless.status, errorOf(nameless)]).toEqual([
      400,
      "'region name' is necessary to register system shared memory region",
    ]);
    symlinkSync("/etc/passwd", fileOf(`${key}-link`));
    mkdirSync(fileOf(`${key}-dir`));
    made.add(fileOf(`${key}-link`)).add(fileOf(`${key}-dir`));
    for (const wrong of [`${key}-link`, `${key}-dir`]) {
      const reply = await register("r", { key: wrong, byte_size: 4 });
      expect([reply.status, errorOf(reply)]).toEqual([500, `Unable to open shared memory region: '${wrong}'`]);
    }
    const own = server
      .leftovers()
      .find((name) => name.startsWith(`nereid-${server.pid}-`) && existsSync(`${SHM}/${name}`));
    const reply = await register("r", { key: own, byte_size: 4 });
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toContain("reserved prefix");
  });
});

describe("CUDA shared memory", () => {
  const cuda = (body: unknown, name = "/region/g") => server.api.post(`/v2/cudasharedmemory${name}/register`, body);
  const b64 = Buffer.alloc(64).toString("base64");

  it.each([
    [
      { raw_handle: { b64 }, device_id: 0, byte_size: 4 },
      "failed to register CUDA shared memory region: 'g', GPUs not supported",
    ],
    [{ device_id: 0, byte_size: 4 }, "Shared memory register request has no 'raw_handle' field"],
    [{ raw_handle: { b64 }, device_id: 0 }, "Shared memory register request has no 'byte_size' field"],
    [
      { raw_handle: { b64: "AAAA" }, device_id: 0, byte_size: 4 },
      "'raw_handle' must be a valid base64 encoded cudaIpcMemHandle_t",
    ],
    [
      { raw_handle: { b64: "*" }, device_id: 0, byte_size: 4 },
      "'raw_handle' must be a valid base64 encoded cudaIpcMemHandle_t",
    ],
  ])("%j is answered 400", async (body, text) => {
    const reply = await cuda(body);
    expect([reply.status, errorOf(reply)]).toEqual([400, text]);
  });

  it("lists nothing and knows no region of the system's", async () => {
    await register("r", { key: object("kind", [1]), byte_size: 4 });
    expect(parse(await server.api.call("/v2/cudasharedmemory/status"))).toEqual([]);
    const other = await server.api.call("/v2/cudasharedmemory/region/r/status");
    expect([other.status, errorOf(other)]).toEqual([
      404,
      "The region named 'r' is registered as system shared memory, not CUDA shared memory",
    ]);
    const unknown = await server.api.call("/v2/cudasharedmemory/region/x/status");
    expect([unknown.status, errorOf(unknown)]).toEqual([404, "Unable to find cuda shared memory region: 'x'"]);
    expect((await server.api.post("/v2/cudasharedmemory/unregister")).status).toBe(200);
    expect(await status()).toHaveLength(1);
  });
});

describe("an inference with a region", () => {
  it.each([
    ["that is unknown", window("x", 4), 404, "Unable to find shared memory region: 'x'"],
    ["at its end", window("r", 4, 16), 400, "Invalid offset for shared memory region: 'r'"],
    ["far behind its end", window("r", 4, 2 ** 53 - 1), 400, "Invalid offset for shared memory region: 'r'"],
    ["over its end", window("r", 8, 12), 400, "Invalid offset + byte size for shared memory region: 'r'"],
    [
      "of more bytes than any has",
      window("r", 2 ** 53),
      400,
      "Invalid offset + byte size for shared memory region: 'r'",
    ],
    [
      "with a size of its own",
      window("r", 8),
      400,
      "[request id: <id_unknown>] input byte size mismatch for input 'INPUT_FP32' for model 'm'. Expected 4, got 8",
    ],
    ["without a size", { shared_memory_region: "r" }, 500, "Unable to parse 'shared_memory_byte_size'"],
    ["with a negative offset", window("r", 4, -1), 500, "Unable to parse 'shared_memory_offset'"],
  ])("%s is refused", async (_, parameters, code, text) => {
    await register("r", { key: object("window", [1, 2, 3, 4]), byte_size: 16 });
    const reply = await infer([inputAt(parameters, [1, 1])]);
    expect(reply.status).toBe(code);
    expect(errorOf(reply).startsWith(text)).toBe(true);
  });

  it("too small for the output is refused, and nothing is written", async () => {
    const key = object("narrow", [5, 6]);
    await register("r", { key, byte_size: 8 });
    const reply = await infer(floats("INPUT_FP32", [[1, 2]]), toShm(window("r", 4)));
    expect([reply.status, errorOf(reply)]).toEqual([
      500,
      "shared memory size specified with the request for output 'OUTPUT_FP32' (4 bytes) should be at least 8 bytes to hold the results",
    ]);
    expect(contentOf(key)).toEqual([5, 6]);
  });

  it("and with classes is refused", async () => {
    await register("r", { key: object("classes", [5, 6]), byte_size: 8 });
    const reply = await infer(floats("INPUT_FP32", [[1, 2]]), toShm({ ...window("r", 8), classification: 1 }));
    expect([reply.status, errorOf(reply)]).toEqual([
      400,
      "Output can't set both 'shared_memory_region' and 'classification'",
    ]);
  });

  it("and data of its own is refused", async () => {
    const both = { ...inputAt(window("r", 4), [1, 1]), data: [1] };
    expect(errorOf(await infer([both]))).toContain("But set 'data' 'shared_memory_region'");
  });

  it("that shrank after it was registered is refused; the server lives and the object does not grow", async () => {
    const key = object("shrunk", [1, 2, 3, 4]);
    await register("r", { key, byte_size: 16 });
    truncateSync(fileOf(key), 4);
    const text = /^Invalid offset \+ byte size for shared memory region: 'r'/;
    const reading = await infer([inputAt(window("r", 8), [1, 2])]);
    expect([reading.status, errorOf(reading)]).toEqual([400, expect.stringMatching(text)]);
    const writing = await infer(floats("INPUT_FP32", [[1, 2]]), toShm(window("r", 8)));
    expect([writing.status, errorOf(writing)]).toEqual([400, expect.stringMatching(text)]);
    expect(statSync(fileOf(key)).size).toBe(4);
    expect(numbersOf(await infer([inputAt(window("r", 4), [1, 1])]))).toEqual([1]);
  });

  it("that claims more memory than there is, is refused", async () => {
    const key = object("sparse", [1]);
    truncateSync(fileOf(key), 2 ** 40);
    await register("r", { key, byte_size: 2 ** 40 });
    const reply = await infer([inputAt(window("r", 2 ** 40), [1, 2 ** 38])]);
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toContain("exceeds the largest size");
  });
});

describe("unregister", () => {
  it("of an unknown region succeeds", async () => {
    expect((await unregister("nobody")).status).toBe(200);
  });

  it("waits for the request that uses the region, and does not wait to answer", async () => {
    const { api } = server;
    const key = object("busy", [0, 0]);
    await register("r", { key, byte_size: 8 });
    // A stopped runner holds the request for as long as the test wants.
    const pid = await api.runnerPid("slow");
    process.kill(pid, "SIGSTOP");
    const running = api.post("/v2/models/slow/infer", {
      inputs: whole("TURNS", 3, true),
      outputs: [{ name: "ECHO", parameters: window("r", 8) }],
    });
    await waitUntil("it executes", async () => (await api.model("slow")).versions[0]?.instances[0]?.busy);
    expect((await unregister("r")).status).toBe(200);
    expect(await status()).toEqual([]);
    const again = await infer(floats("INPUT_FP32", [[1]]), toShm(window("r", 4)));
    expect([again.status, errorOf(again)]).toEqual([404, "Unable to find shared memory region: 'r'"]);
    // The name is free again while the old region is still in use.
    expect((await register("r", { key, byte_size: 8 })).status).toBe(200);
    process.kill(pid, "SIGCONT");
    expect((await running).status).toBe(200);
    expect(readFileSync(fileOf(key)).readBigInt64LE()).toBe(3n);
    await unregister("r");
    expect(openRegions()).toBe(0);
  });

  it("closes what register opened", async () => {
    const key = object("fds", [1]);
    for (let turn = 0; turn < 5; turn += 1) {
      await register("r", { key, byte_size: 4 });
      await register("r", { key, byte_size: 4 });
      await register("wrong", { key, byte_size: 400 });
      expect(openRegions()).toBe(1);
      await unregister("r");
    }
    expect(openRegions()).toBe(0);
  });
});

describe("a server that was not told to allow it", () => {
  it("refuses register and unregister whatever they hold, lists nothing, and knows no region", async () => {
    const closed = await startTestServer({ models: [] });
    try {
      for (const path of [
        "/v2/systemsharedmemory/region/r/register",
        "/v2/systemsharedmemory/unregister",
        "/v2/cudasharedmemory/region/r/register",
        "/v2/cudasharedmemory/region/r/unregister",
      ]) {
        const reply = await closed.api.post(path, "{");
        expect([reply.status, errorOf(reply)]).toEqual([
          501,
          "Client shared memory is disabled. Start the server with '--allow-client-shm=true' to enable.",
        ]);
      }
      expect((await closed.api.call("/v2/systemsharedmemory/status")).text).toBe("[]");
      expect((await closed.api.call("/v2/systemsharedmemory/region/r/status")).status).toBe(404);
    } finally {
      await closed.dispose();
    }
  });
});
