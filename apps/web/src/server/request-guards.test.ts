import { describe, expect, it } from "vitest";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { localPath } from "./local-path.ts";
import { isSameOrigin } from "./same-origin.ts";

describe("isSameOrigin", () => {
  const host = { host: "127.0.0.1:3000" };
  it.each([
    [{ ...host, origin: "http://127.0.0.1:3000" }, undefined, true],
    [{ ...host, origin: "http://evil.example" }, undefined, false],
    [{ ...host, origin: "null" }, undefined, false],
    [{ ...host }, undefined, true],
    [{ ...host, "sec-fetch-site": "cross-site" }, undefined, false],
    [{ ...host, origin: "https://ops.example" }, "https://ops.example/nereid", true],
    [{ ...host, origin: "http://ops.example" }, "https://ops.example", false],
  ])("%j with %s is %s", (headers, publicUrl, expected) => {
    expect(isSameOrigin(new Headers(headers), publicUrl)).toBe(expected);
  });
});

it.each([
  ["/models/a?range=1m", "/models/a?range=1m"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["https://evil.example", "/"],
  ["javascript:alert(1)", "/"],
  [undefined, "/"],
  [["/a"], "/"],
])("localPath(%j) is %s", (value, path) => {
  expect(localPath(value)).toBe(path);
});

it("the policy forbids framing and eval", () => {
  const policy = contentSecurityPolicy("abc", { development: false });
  expect(policy).toMatch(/script-src 'self' 'nonce-abc' 'strict-dynamic'[; ]/);
  expect(policy).toContain("frame-ancestors 'none'");
  // WebAssembly alone is let through, where somebody needs it.
  expect(policy).not.toContain(" 'unsafe-eval'");
});
