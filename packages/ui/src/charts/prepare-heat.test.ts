import { expect, it } from "vitest";
import { movedInHeat, prepareHeat } from "./prepare-heat.ts";
import { prepareLines } from "./prepare-lines.ts";

const map = prepareHeat({
  rows: [
    { t: 0, heat: [[40, 1]] },
    {
      t: 10,
      heat: [
        [40, 100],
        [44, 10],
      ],
    },
    { t: 30, heat: [[60, 9]] },
  ],
  from: 0,
  to: 30,
  step: 10,
});

it("cells of the window only, the busiest strongest, between the lowest and the highest latency", () => {
  expect(map).toMatchObject({ lowest: 40, beyond: 45, most: 100 });
  expect(map?.cells.map(({ shade }) => shade)).toEqual([0.15, 1, 0.575]);
  expect(prepareHeat({ rows: [{ t: 0, heat: [] }], from: 0, to: 10, step: 10 })).toBeNull();
});

it("arrow keys walk to the edges and no further", () => {
  if (map === null) throw new Error("no map");
  expect(movedInHeat({ t: 10, bin: 44 }, "ArrowRight", map)).toEqual({ t: 20, bin: 44 });
  expect(movedInHeat({ t: 20, bin: 44 }, "ArrowRight", map)).toEqual({ t: 20, bin: 44 });
  expect(movedInHeat({ t: 20, bin: 44 }, "ArrowUp", map)).toEqual({ t: 20, bin: 44 });
  expect(movedInHeat({ t: 20, bin: 44 }, "ArrowDown", map)).toEqual({ t: 20, bin: 43 });
  expect(movedInHeat({ t: 20, bin: 44 }, "x", map)).toBeNull();
});

it("a missing step is a gap, and a lonely value gets a dot", () => {
  const row = (t: number, value: number | null) => ({ t, values: { a: value } });
  const lines = [{ key: "a", label: "A", color: "red" }];
  const prepared = prepareLines({ rows: [row(0, 1), row(10, 3), row(30, 2)], lines, from: 0, to: 40, step: 10 });
  expect(prepared.gaps).toEqual([{ from: 20, to: 20 }]);
  expect([...prepared.isolated]).toEqual(["a:30"]);
  expect(prepared.to).toBe(30);
});
