import { expect, it } from "vitest";
import { sizeText } from "./size-text.ts";

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 KB"],
  [26_450, "26.4 KB"],
  [18_800_000, "18.8 MB"],
  [2_147_483_648, "2.1 GB"],
])("%d bytes are %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
