import { afterEach, describe, expect, it } from "vitest";
import { NodeSensor } from "./node-sensor.ts";

const open: NodeSensor[] = [];

function sensorOf(runners: () => readonly number[], rssOf: (pid: number) => number | undefined): NodeSensor {
  const sensor = new NodeSensor({ gpus: false, gpuIntervalMs: 1000, runners, rssOf });
  open.push(sensor);
  return sensor;
}

afterEach(() => {
  for (const sensor of open.splice(0)) sensor.close();
});

/** What the runners add to the server's own resident memory, which moves by itself; in units of a tebibyte. */
const runnersOf = (sensor: NodeSensor) => Math.round((sensor.read().rssBytes ?? 0) / 2 ** 40);

describe("NodeSensor", () => {
  it("adds the runners' memory, forgets those that ended and leaves out what cannot be read", () => {
    let pids = [1, 2, 3];
    const sensor = sensorOf(
      () => pids,
      (pid) => (pid === 3 ? undefined : 2 ** 40),
    );
    expect(runnersOf(sensor)).toBe(2);
    pids = [2];
    expect(runnersOf(sensor)).toBe(1);
  });

  it("measures only some of many runners each second, all of them in turn", () => {
    const asked: number[] = [];
    const pids = Array.from({ length: 20 }, (_, at) => at + 1);
    const sensor = sensorOf(
      () => pids,
      (pid) => {
        asked.push(pid);
        return 2 ** 40;
      },
    );
    expect([1, 2, 3, 4].map(() => runnersOf(sensor))).toEqual([8, 16, 20, 20]);
    expect(asked).toHaveLength(32);
    expect(new Set(asked).size).toBe(20);
  });

  it("tells of the event loop, and nothing of GPUs where there are none", () => {
    const reading = sensorOf(
      () => [],
      () => 0,
    ).read();
    expect(reading.eventLoopLagMs).toBeGreaterThanOrEqual(0);
    expect(reading).not.toHaveProperty("gpus");
  });
});
