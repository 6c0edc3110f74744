import { NereidError } from "@nereid/errors";
import { describe, expect, it } from "vitest";
import { MetricsHub } from "../metrics/metrics-hub.ts";
import { bucketOf, seriesOf } from "../testing/buckets.ts";
import { capabilitiesOf, inability } from "./capabilities.ts";
import { cordonRefusal } from "./cordon.ts";
import { foldReadings } from "./fold-readings.ts";
import type { NodeSpec } from "./managed-node.ts";
import { nodeFigures } from "./node-figures.ts";
import { NodeHubs } from "./node-hubs.ts";
import { addNodeInput } from "./node-input.ts";
import { createSecretBox } from "./secret-box.ts";

const spec = (id: string, more: Partial<NodeSpec> = {}): NodeSpec => ({
  id,
  name: id,
  kind: "nereid",
  url: `http://${id}:8000`,
  metricsUrl: null,
  grpcUrl: null,
  apiKey: null,
  cordoned: false,
  ...more,
});

describe("the secrets of other systems", () => {
  it("come out as they went in, never twice the same, and for nobody else", () => {
    const box = createSecretBox("installation", "nodes");
    const sealed = box.seal("a kéy");
    expect(box.open(sealed)).toBe("a kéy");
    expect(sealed).not.toContain("kéy");
    expect(box.seal("a kéy")).not.toBe(sealed);
    for (const other of [createSecretBox("another", "nodes"), createSecretBox("installation", "alerts")]) {
      expect(() => other.open(sealed)).toThrow(NereidError);
    }
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
    expect(() => box.open(changed)).toThrow(/cannot be read/);
    expect(() => box.open("")).toThrow(/cannot be read/);
  });
});

describe("the hubs of the nodes", () => {
  function setUp() {
    const log: string[] = [];
    const openHub = ({ id, url }: NodeSpec) => {
      log.push(`open ${id} ${url}`);
      const open = async function* ({ signal }: { signal: AbortSignal }) {
        signal.addEventListener("abort", () => log.push(`close ${id} ${url}`));
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      };
      return new MetricsHub({ open, clock: { now: () => 0 }, pause: async () => {} });
    };
    const accompany = ({ id }: NodeSpec) => {
      log.push(`begin ${id}`);
      return { stop: () => void log.push(`end ${id}`) };
    };
    return { log, hubs: new NodeHubs({ openHub, accompany }, [spec("local")]) };
  }

  it("begin when they are started, stay when only the name changes, and end when their node goes", async () => {
    const { log, hubs } = setUp();
    hubs.sync([spec("local"), spec("b")]);
    expect(log).toEqual(["open local http://local:8000", "open b http://b:8000"]);
    hubs.start();
    const [, b] = hubs.entries;
    hubs.sync([spec("local"), spec("b", { name: "other", cordoned: true })]);
    expect(hubs.entries[1]?.hub).toBe(b?.hub);
    expect(hubs.entries[1]?.spec).toMatchObject({ name: "other", cordoned: true });
    hubs.sync([spec("local")]);
    await expect.poll(() => log).toContain("end b");
    expect(log).toContain("close b http://b:8000");
    await hubs.stop();
    expect(log.slice(-2)).toEqual(["close local http://local:8000", "end local"]);
  });

  it("a node that is reached otherwise begins anew, after what accompanied it has ended", async () => {
    const { log, hubs } = setUp();
    hubs.start();
    hubs.sync([spec("local", { url: "http://elsewhere:1" })]);
    await expect.poll(() => log.filter((line) => line === "begin local")).toHaveLength(2);
    expect(log.indexOf("end local")).toBeLessThan(log.lastIndexOf("begin local"));
    await hubs.stop();
  });
});

describe("what a node can do", () => {
  it("a Triton server loads, and says why it does not do the rest", () => {
    const triton = capabilitiesOf("triton");
    expect([inability(triton, "model.load"), inability(triton, "metrics.read")]).toEqual([null, null]);
    expect(inability(triton, "model.configure")).toMatch(/configuration files/);
    expect(Object.values(capabilitiesOf("nereid")).every((why) => why === null)).toBe(true);
  });

  it("a cordoned one takes no models, but unloads and rolls back", () => {
    const node = { name: "gpu-2", cordoned: true };
    expect(cordonRefusal(node, "model.load")).toMatchObject({ code: "CONFLICT", message: /gpu-2 is cordoned/ });
    expect(cordonRefusal(node, "draft.publish")).toBeDefined();
    for (const action of ["model.unload", "version.rollback", "model.cancel"])
      expect(cordonRefusal(node, action)).toBeUndefined();
    expect(cordonRefusal({ ...node, cordoned: false }, "model.load")).toBeUndefined();
  });
});

describe("an address of a node", () => {
  it.each([
    ["http://10.0.0.7:8000/", "http://10.0.0.7:8000"],
    ["https://gpu.example.org/triton", "https://gpu.example.org/triton"],
  ])("%s is kept as %s", (url, kept) => {
    expect(addNodeInput.parse({ name: "b", kind: "nereid", url }).url).toBe(kept);
  });

  it.each(["ftp://a:1", "file:///etc/passwd", "a:8000", "http://u:p@a", "http://a/?x=1", "http://a/#x"])(
    "%s is refused",
    (url) => expect(addNodeInput.safeParse({ name: "b", kind: "nereid", url }).success).toBe(false),
  );
});

it.each(["all", "ALL", "None", "n0123456789"])("a node could be named %s, which chooses others", (name) => {
  const given = { name, kind: "nereid", url: "http://a:1" };
  expect(addNodeInput.safeParse(given).success).toBe(false);
  expect(addNodeInput.safeParse({ ...given, name: `${name} 2` }).success).toBe(true);
});

it.each(["a\rb", "a\nb", "a\u0000", "a\u001b[0m", "ä", " a", "a "])("the key %j could not be sent as it is", (key) => {
  const given = { name: "b", kind: "nereid", url: "http://a:1" };
  expect(addNodeInput.safeParse({ ...given, key }).error?.issues[0]?.path).toEqual(["key"]);
  expect(addNodeInput.safeParse({ ...given, key: "a b~!" }).success).toBe(true);
});

describe("the figures of a node", () => {
  it("are of all its models, with a mean where it tells no percentiles", () => {
    const t = 100;
    const counted = { ...seriesOf("b", [4]), latency: [] };
    const figures = nodeFigures([
      bucketOf(t - 1, seriesOf("a", [2])),
      bucketOf(t, { ...counted, failure: 1, pending: 2 }),
    ]);
    expect(figures).toMatchObject({ t, requestsPerSecond: 1.5, failuresPerSecond: 0.5, mean: 3, pending: 2 });
    expect(figures?.trend.slice(-3)).toEqual([null, 1, 2]);
    expect(nodeFigures([bucketOf(t, counted)])?.p99).toBeNull();
    expect(nodeFigures([])).toBeNull();
  });

  it("fold into steps: means of shares, the greatest of lags, and no step where nothing was measured", () => {
    const steps = foldReadings(
      [
        { ...bucketOf(10), node: { cpu: 0.2, eventLoopLagMs: 1, gpus: [{ index: 0, utilization: 0.5 }] } },
        { ...bucketOf(11, seriesOf("a", [1, 1])), node: { cpu: 0.4, eventLoopLagMs: 9, gpus: [{ index: 0 }] } },
        bucketOf(30),
      ],
      5,
    );
    expect(steps).toEqual([
      {
        t: 10,
        requestsPerSecond: 1,
        failuresPerSecond: 0,
        cpu: expect.closeTo(0.3, 9),
        eventLoopLagMs: 9,
        gpus: [{ index: 0, utilization: 0.5 }],
      },
      { t: 30, requestsPerSecond: 0, failuresPerSecond: 0 },
    ]);
  });
});
