import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StopTexts } from "./stop-texts.ts";

function run(stops: readonly string[], pieces: readonly string[]) {
  const matcher = new StopTexts(stops);
  let text = "";
  for (const piece of pieces) {
    const passed = matcher.push(piece);
    text += passed.text;
    if (passed.stopped) return { text, stopped: true };
  }
  return { text: text + matcher.end(), stopped: false };
}

describe("StopTexts", () => {
  it("ends the text before the first stop text, however it is cut", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 30 });
    const stop = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(letters, fc.array(stop, { maxLength: 3 }), fc.array(fc.nat(5)), (whole, stops, cuts) => {
        const pieces: string[] = [];
        let rest = whole;
        for (const cut of cuts) {
          pieces.push(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        // The last piece letter by letter: a stop text is found where it ends first.
        const result = run(stops, [...pieces.join(""), ...rest]);
        const ends = stops.flatMap((text) => (whole.includes(text) ? [whole.indexOf(text) + text.length] : []));
        if (ends.length === 0) expect(result).toEqual({ text: whole, stopped: false });
        else {
          expect(result.stopped).toBe(true);
          const seen = whole.slice(0, Math.min(...ends));
          const first = Math.min(...stops.filter((text) => seen.includes(text)).map((text) => seen.indexOf(text)));
          expect(result.text).toBe(whole.slice(0, first));
        }
      }),
    );
  });

  it("holds back only what may become a stop text", () => {
    const matcher = new StopTexts(["</end>"]);
    expect(matcher.push("abc</")).toEqual({ text: "abc", stopped: false });
    expect(matcher.push("p>")).toEqual({ text: "</p>", stopped: false });
    expect(matcher.push("x</en")).toEqual({ text: "x", stopped: false });
    expect(matcher.end()).toBe("</en");
  });

  it("stops at nothing without texts, or with an empty one", () => {
    expect(run([""], ["a", "b"])).toEqual({ text: "ab", stopped: false });
  });
});
