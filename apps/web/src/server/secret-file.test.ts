import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readIfExists, readOrCreateSecret, writeSecret } from "./secret-file.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "nereid-secret-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

it("makes a secret once, readable by its owner only", () => {
  const file = join(dir, "state/auth-secret");
  const secret = readOrCreateSecret(file);
  expect(secret.length).toBeGreaterThan(40);
  expect(readOrCreateSecret(file)).toBe(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(dir, "state"))).toEqual(["auth-secret"]);
});

it("replaces only when told to", () => {
  const file = join(dir, "token");
  writeSecret(file, "one", { replace: false });
  writeSecret(file, "two", { replace: false });
  expect(readIfExists(file)).toBe("one");
  writeSecret(file, "three", { replace: true });
  expect(readIfExists(file)).toBe("three");
  expect(readIfExists(join(dir, "none"))).toBeUndefined();
});
