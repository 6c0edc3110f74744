import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { offsetModel } from "@nereid/model-authoring";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTar, makeZip } from "../testing/archives.ts";
import { ALL_SCOPES, ENTRY, type Product, startProduct } from "../testing/product.ts";

let product: Product;
let key: string;
let scratch: string;

beforeAll(async () => {
  product = await startProduct();
  key = await product.key(ALL_SCOPES);
  scratch = join(product.directory, "scratch");
  mkdirSync(scratch);
});
afterAll(() => product?.close());

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Run {
  readonly key?: string;
  readonly stdin?: string;
  /** The command, where it is another than `models`. */
  readonly command?: "requests";
}

/** `nereid models …` as a process of its own, with nobody at its terminal. */
async function nereid(args: readonly string[], options: Run = {}): Promise<Ended> {
  const child = spawn(process.execPath, [ENTRY, options.command ?? "models", ...args], {
    env: { PATH: process.env["PATH"], NEREID_URL: product.web, NEREID_API_KEY: options.key ?? key },
  });
  child.stdin.end(options.stdin ?? "");
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, stdout, stderr };
}

/** Standard output of a run that went well. */
async function output(args: readonly string[], options: Run = {}): Promise<string> {
  const { code, stdout, stderr } = await nereid(args, options);
  if (code !== 0) throw new Error(`nereid models ${args.join(" ")}: ${code}\n${stdout}${stderr}`);
  return stdout;
}

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse(await output([...args, "--json"])) as T;
}

function file(name: string, content: Uint8Array | string, folder = scratch): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const CONFIG = 'backend: "onnxruntime"\nmax_batch_size: 4\n';

async function drafts(): Promise<unknown[]> {
  const answer = await fetch(`${product.web}/api/v1/drafts`, { headers: { authorization: `Bearer ${key}` } });
  return (await answer.json()) as unknown[];
}

interface Listed {
  readonly name: string;
  readonly versions: readonly { readonly version: string; readonly state: string }[];
}

describe("nereid models push", () => {
  it("publishes a file, and shows its size in a unit that fits", async () => {
    const shown = await output(["push", file("plus.onnx", offsetModel(1)), "--yes"]);
    expect(shown).toContain("new model plus, version 1");
    expect(shown).toMatch(/ {2}1 file, \d+ B, sha256 [0-9a-f]{16}/);
    expect(shown).toContain("in  QUESTION  FP32 [batch, length]");
    expect(shown).toContain("published plus/1 and loaded it");
  });

  it("publishes a folder, a zip and a tar.gz as further versions and other models", async () => {
    file("folder/config.pbtxt", CONFIG);
    file("folder/1/model.onnx", offsetModel(1));
    expect(await output(["push", join(scratch, "folder"), "--yes"])).toContain("published folder/1 and loaded it");
    const zip = makeZip([
      { name: "folder/config.pbtxt", data: Buffer.from(CONFIG) },
      { name: "folder/2/model.onnx", data: Buffer.from(offsetModel(2)) },
    ]);
    expect(await output(["push", file("folder.zip", zip), "--yes"])).toContain("published folder/2 and loaded it");
    const tar = gzipSync(makeTar([{ name: "tarred/1/model.onnx", data: Buffer.from(offsetModel(3)) }]));
    const quiet = await output(["push", file("tarred.tar.gz", tar), "--yes", "--no-load"]);
    expect(quiet).toContain("published tarred/1\n");
  });

  it("--json answers with what was published, alone", async () => {
    const path = file("plus.onnx", offsetModel(7));
    expect(await json("push", path, "--yes", "--model=named", "--version=5")).toMatchObject({
      model: "named",
      version: "5",
      loaded: true,
    });
  });

  it("says why an archive that climbs out is refused, and leaves no draft", async () => {
    const evil = makeZip([{ name: "../../evil/1/model.onnx", data: Buffer.from(offsetModel(1)) }]);
    const { code, stderr } = await nereid(["push", file("evil.zip", evil), "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toContain("../../evil/1/model.onnx");
    expect((await drafts()).filter((draft) => JSON.stringify(draft).includes("evil"))).toEqual([]);
  });

  it("publishes nothing without a yes, when there is nobody to ask", async () => {
    const { code, stderr } = await nereid(["push", file("unsure.onnx", offsetModel(1))]);
    expect(code).toBe(1);
    expect(stderr).toContain("add --yes");
    expect((await json<Listed[]>("list")).map(({ name }) => name)).not.toContain("unsure");
    expect((await drafts()).filter((draft) => JSON.stringify(draft).includes("unsure"))).toEqual([]);
  });

  it.each([
    ["what is no model", () => file("text.onnx", "this is no model"), /ONNX/],
    ["a path that is not there", () => join(scratch, "no such file"), /there is no '.*no such file'/],
  ])("refuses %s", async (_what, path, message) => {
    const { code, stderr } = await nereid(["push", path(), "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });
});

const ENDLESS = `backend: "javascript"
max_batch_size: 0
input [ { name: "QUESTION" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "ANSWER" data_type: TYPE_FP32 dims: [ -1 ] } ]
`;

interface Loading {
  readonly name: string;
  readonly loading: readonly unknown[];
}

describe("nereid models", () => {
  it("lists models and versions, for people and for programs", async () => {
    expect(await output(["list"])).toMatch(/^folder +1 UNAVAILABLE, 2 READY$/m);
    const listed = await json<Listed[]>("list");
    expect(listed.map(({ name }) => name)).toEqual(["folder", "named", "plus", "tarred"]);
    expect(await output(["versions", "folder"])).toMatch(/^ +2 {2}READY +[0-9a-f]{12} \d+ B/m);
    expect(await json<{ version: string }[]>("versions", "folder")).toMatchObject([{ version: "2" }, { version: "1" }]);
  });

  it("rolls back, loads a version beside it, and unloads", async () => {
    expect(await output(["rollback", "folder"])).toBe("folder serves version 1 (was 2)\n");
    expect(await output(["load", "folder/2"])).toBe("folder/2 is loaded\n");
    const states = async () =>
      (await json<Listed[]>("list"))
        .find(({ name }) => name === "folder")
        ?.versions.filter(({ state }) => state === "READY")
        .map(({ version }) => version);
    expect(await states()).toEqual(["1", "2"]);
    expect(await output(["unload", "folder/1", "--reason=not needed"])).toContain("folder/1 is being unloaded");
    expect(await states()).toEqual(["2"]);
    expect(await output(["unload", "folder"])).toContain("folder is being unloaded");
    expect(await states()).toEqual([]);
    expect(await json("load", "folder")).toBeDefined();
    expect(await json("rollback", "folder", "--to=1")).toMatchObject({ to: "1" });
  });

  it("divides traffic, shows it, and gives it back", async () => {
    const all = "folder: all requests that name no version go to the highest version that is ready\n";
    expect(await output(["traffic", "folder"])).toBe(all);
    await output(["load", "folder/2"]);
    const args = ["traffic", "folder", "--weights", "1=90,2=10", "--sticky-header=X-User", "--reason=a first try"];
    const table = `folder: requests that name no version
version  weight  share now
      1      90     90.0 %
      2      10     10.0 %
the same value of x-user goes to the same version
`;
    expect(await output(args)).toBe(table);
    expect(await output(["traffic", "folder"])).toBe(table);
    const traffic = { weights: { "1": 90, "2": 10 }, stickyHeader: "x-user", shares: { "1": 0.9, "2": 0.1 } };
    expect(await json("traffic", "folder")).toEqual({ traffic, warnings: [] });
    await output(["unload", "folder/2"]);
    expect(await output(args)).toContain("note: version 2 of model 'folder' is not served");
    const wrong = await nereid(["traffic", "folder", "--weights=1=0"]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("at least one weight must be above 0")]);
    const missing = await nereid(["traffic", "folder", "--weights=9=1"]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("model 'folder' has no version 9")]);
    expect(await output(["traffic", "folder", "--clear"])).toBe(all);
  });

  it("profiles a model that is in use, and writes the trace", async () => {
    const input = { name: "QUESTION", datatype: "FP32", shape: [1, 2], data: [1, 2] };
    let over = false;
    const traffic = (async () => {
      while (!over)
        await fetch(`${product.server}/v2/models/named/infer`, {
          method: "POST",
          body: JSON.stringify({ inputs: [input] }),
        });
    })();
    const trace = join(scratch, "trace.json");
    const shown = await output(["profile", "named", "--seconds=1", `--trace=${trace}`]).finally(() => {
      over = true;
    });
    await traffic;
    expect(shown).toMatch(/^named\/\d+: \d+ executions? in 1 s, \d+\.\d{3} ms each as a whole\noperator /);
    expect(shown).toMatch(/^Add +CPU +\d+ .* 100\.0 %$/m);
    const events = JSON.parse(readFileSync(trace, "utf8")) as { name?: string }[];
    expect(events.some(({ name }) => name === "model_run")).toBe(true);
    const idle = await json<{ runs: number; note?: string }>("profile", "named", "--seconds=0.1");
    expect(idle).toMatchObject({ runs: 0, note: expect.stringContaining("no request came") });
    const nowhere = await nereid(["profile", "nobody"]);
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining("nobody")]);
  });

  it("cancels a load, and says so where there is none", async () => {
    file("endless/config.pbtxt", ENDLESS, product.repository);
    file(
      "endless/1/model.mjs",
      "await new Promise((resolve) => setTimeout(resolve, 3_600_000));\n",
      product.repository,
    );
    const load = nereid(["load", "endless"]);
    const loading = async () => (await json<Loading[]>("list")).find(({ name }) => name === "endless")?.loading ?? [];
    await expect.poll(loading, { timeout: 60_000 }).toMatchObject([{ version: "1", stage: "loading" }]);
    expect(await output(["cancel-load", "endless"])).toBe("cancelled the load of endless\n");
    const { code, stderr } = await load;
    expect([code, stderr]).toEqual([1, expect.stringContaining("the load of model 'endless' was cancelled")]);
    const again = await nereid(["cancel-load", "endless"]);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining("no load of model 'endless' is in progress"),
    ]);
  });

  it("prints, checks and applies a configuration from a file and from standard input", async () => {
    expect(await output(["config", "folder"])).toBe(CONFIG);
    const bad = await nereid(["config", "folder", `--file=${file("bad.pbtxt", "max_batch_size: many\n")}`]);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/the configuration has (an error|\d+ errors):\n {2}1:\d+ /);
    const changed = CONFIG.replace("4", "2");
    expect(await output(["config", "folder", `--file=${file("good.pbtxt", changed)}`])).toMatch(
      /^applied to folder \(/,
    );
    expect(await json("config", "folder")).toMatchObject({ text: changed });
    expect(await output(["config", "folder", "--file=-"], { stdin: CONFIG })).toMatch(/^applied to folder \(/);
    expect(await output(["config", "folder"])).toBe(CONFIG);
  });

  it.each([
    ["a key that nobody has", ["list"], "nrd_nobody", /^nereid: /],
    ["a model that is not there", ["load", "nobody"], undefined, /nobody/],
    ["an address without a dashboard", ["list", "--url=http://127.0.0.1:9"], undefined, /no answer from/],
    ["what is no address", ["list", "--url=not an address"], undefined, /^nereid: /],
    ["a folder as configuration file", ["config", "folder", "--file=/"], undefined, /'\/' cannot be read/],
    ["a device as model", ["push", "/dev/null"], undefined, /neither a file nor a folder/],
    ["a configuration file that is not there", ["config", "folder", "--file=/no/such"], undefined, /\/no\/such/],
    ["a version that is no number", ["load", "folder/two"], undefined, /is not a version/],
  ])("says what is wrong with %s", async (_what, args, wrongKey, message) => {
    const { code, stdout, stderr } = await nereid(args, wrongKey === undefined ? {} : { key: wrongKey });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("a key without the scope may not, and is told which scope", async () => {
    const reader = await product.key(["model.read"]);
    const { code, stderr } = await nereid(["unload", "folder"], { key: reader });
    expect(code).toBe(1);
    expect(stderr).toContain("model.unload");
  });
});

describe("nereid requests", () => {
  it("lists what is remembered, tells the story of a single one, and says when there is none", async () => {
    const nothing = await output(["--model=plus"], { command: "requests" });
    expect(nothing).toBe("no request that is remembered fits\n");
    const input = { name: "QUESTION", datatype: "FP32", shape: [1, 2], data: [1, 2] };
    // One of a hundred is a sample.
    for (let sent = 0; sent < 200; sent++) {
      const body = JSON.stringify({ id: `mine-${sent}`, inputs: [input] });
      const answer = await fetch(`${product.server}/v2/models/plus/infer`, { method: "POST", body });
      expect(answer.status, await answer.text()).toBe(200);
    }
    const listed = await output(["--model=plus", "--cause=sampled"], { command: "requests" });
    expect(listed).toMatch(/^when \(UTC\) +request +model +because +took +waited +batch +outcome\n/);
    const ids = [...listed.matchAll(/ (mine-\d+) /g)].map(([, id = ""]) => id);
    expect(ids).toHaveLength(2);
    const story = await output([`--id=${ids[0]}`], { command: "requests" });
    expect(story).toMatch(new RegExp(`^request ${ids[0]} \\(#\\d+\\) to plus/\\d+\n`));
    for (const fact of [
      "queue",
      "batch",
      "instance",
      "phases    input",
      "bytes     8 B in",
      "inputs    QUESTION [1, 2]",
    ]) {
      expect(story).toContain(`\n  ${fact} `.trimEnd());
    }
    const told = await output([`--id=${ids[0]}`, "--json"], { command: "requests" });
    expect(JSON.parse(told)).toMatchObject({ records: [{ id: ids[0], model: "plus", outcome: "answered" }] });
  });

  it("needs a key that may read", async () => {
    const key = await product.key(["metrics.read"]);
    const { code, stderr } = await nereid([], { command: "requests", key });
    expect([code, stderr]).toEqual([1, expect.stringContaining("model.read")]);
  });
});
