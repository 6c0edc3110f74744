import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ResponseOrder, type ResponsePlace } from "./response-order.ts";

function opened(count: number) {
  const order = new ResponseOrder();
  const said: string[] = [];
  const places = Array.from({ length: count }, () => order.open());
  const put = (index: number, text: string) => places[index]?.put(() => said.push(text));
  return { order, said, places, put, end: (index: number) => places[index]?.end() };
}

describe("ResponseOrder", () => {
  it("runs at once what is first, and holds the rest, final flags included", () => {
    const { said, put, end } = opened(3);
    put(1, "1a");
    put(1, "1 final");
    end(1);
    put(0, "0a");
    expect(said).toEqual(["0a"]);
    put(2, "2a");
    put(0, "0b");
    expect(said).toEqual(["0a", "0b"]);
    end(0);
    expect(said).toEqual(["0a", "0b", "1a", "1 final", "2a"]);
    put(2, "2b");
    expect(said.at(-1)).toBe("2b");
  });

  it("tells whether what is put now would be held", () => {
    const { places, end } = opened(2);
    expect(places.map(({ waits }) => waits)).toEqual([false, true]);
    end(0);
    expect(places.map(({ waits }) => waits)).toEqual([false, false]);
  });

  it("passes over a request that ends without a response", () => {
    const { said, put, end } = opened(2);
    put(1, "1");
    end(0);
    expect(said).toEqual(["1"]);
  });

  it("ignores what comes after the end, and a second end", () => {
    const { said, put, end } = opened(2);
    end(0);
    end(0);
    put(0, "late");
    put(1, "1");
    expect(said).toEqual(["1"]);
  });

  it("keeps the order when an action puts another one", () => {
    const { said, places, put, end } = opened(2);
    put(1, "1");
    places[0]?.put(() => {
      said.push("0a");
      places[0]?.put(() => said.push("0b"));
      places[0]?.end();
    });
    end(1);
    expect(said).toEqual(["0a", "0b", "1"]);
  });

  it("runs what is behind an action that throws, and throws its error", () => {
    const { said, places, put } = opened(2);
    put(1, "1");
    places[0]?.end();
    const failing = opened(2);
    failing.put(1, "behind");
    failing.places[0]?.put(() => undefined);
    expect(() => {
      failing.places[0]?.put(() => {
        failing.places[0]?.end();
        throw new Error("broken pipe");
      });
    }).toThrow("broken pipe");
    expect([...said, ...failing.said]).toEqual(["1", "behind"]);
  });

  it("says everything once, in the order of the requests, whoever is ready first", () => {
    const step = fc.record({ place: fc.nat({ max: 9 }), action: fc.constantFrom("open", "put", "put", "end") });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const order = new ResponseOrder();
        const places: ResponsePlace[] = [];
        const ended = new Set<number>();
        const said: [number, number][] = [];
        const expected: [number, number][] = [];
        steps.forEach(({ place, action }, serial) => {
          if (action === "open") places.push(order.open());
          if (action === "put" && place < places.length) {
            if (!ended.has(place)) expected.push([place, serial]);
            places[place]?.put(() => said.push([place, serial]));
          }
          if (action === "end" && place < places.length) {
            ended.add(place);
            places[place]?.end();
          }
          const firstOpen = places.findIndex((_, index) => !ended.has(index));
          const free = firstOpen === -1 ? places.length : firstOpen;
          const may = expected.filter(([index]) => index <= free).sort(([a, x], [b, y]) => a - b || x - y);
          expect(said).toEqual(may);
        });
      }),
      { numRuns: 300 },
    );
  });
});
