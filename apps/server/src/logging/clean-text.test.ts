import { describe, expect, it } from "vitest";
import { cleanText } from "./clean-text.ts";

describe("cleanText()", () => {
  it("escapes what terminals and viewers act on, and drops colours", () => {
    expect(cleanText("\u001b[31mred\u001b[0m a\u0007b\r\nc\u202ed\u2028 ü 模型\t.")).toBe(
      "red a\\x07b\\r\\nc\\u202ed\\u2028 ü 模型  .",
    );
    expect(cleanText("\u001b]0;title\u0007x")).toBe("\\x1b]0;title\\x07x");
  });

  it.each([
    ["Authorization: Bearer abcdef123456", "Authorization: Bearer ***"],
    ["key nrd_0123456789abcdef", "key nrd_***"],
    ["HF hf_abcdefghijklmnop", "HF ***"],
    ['{"password":"hunter2hunter2"}', '{"password":"***"}'],
    ["API_KEY=abc123 next", "API_KEY=*** next"],
    ["postgres://user:geheim@host/db", "postgres://user:***@host/db"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig", "***"],
  ])("hides the secret of %s", (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it("leaves ordinary words alone and cuts what is too long", () => {
    expect(cleanText("loaded 5 tokens: fine")).toBe("loaded 5 tokens: fine");
    expect(cleanText("x".repeat(9000))).toHaveLength(2001);
  });
});
