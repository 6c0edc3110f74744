import { describe, expect, it } from "vitest";
import { read } from "../testing/check.ts";
import { parseVersionDirectory } from "./parse-version-directory.ts";
import { plainVersion } from "./plain-version.ts";
import { selectVersions } from "./select-versions.ts";

describe("selectVersions()", () => {
  it.each<[string, bigint[], bigint[]]>([
    ["", [10n], []],
    ["version_policy { }", [1n, 2n, 10n], []],
    ["version_policy { all { } }", [1n, 2n, 10n], []],
    ["version_policy { latest { num_versions: 2 } }", [2n, 10n], []],
    ["version_policy { latest { num_versions: 9 } }", [1n, 2n, 10n], []],
    ["version_policy { latest { } }", [], []],
    ["version_policy { specific { versions: [ 7, 2, 2 ] } }", [2n], [7n]],
  ])("%s", (text, selected, missing) => {
    expect(selectVersions(read(text).versionPolicy, [2n, 10n, 1n])).toEqual({ selected, missing });
  });
});

it.each([
  ["7", "7"],
  ["007", "7"],
  ["0", "0"],
  ["9223372036854775807", "9223372036854775807"],
  ["9223372036854775808", undefined],
  ["10000000000000000000", undefined],
  ["", undefined],
  ["-1", undefined],
  ["1a", undefined],
])("plainVersion(%j) is %j", (text, version) => {
  expect(plainVersion(text)).toBe(version);
});

describe("parseVersionDirectory()", () => {
  it.each([
    ["1", 1n],
    ["0", 0n],
    ["10", 10n],
    ["3-rc", 3n],
  ])("%s is a version", (name, version) => {
    expect(parseVersionDirectory(name)).toEqual({ kind: "version", version });
  });

  it.each([
    ["01", true, "rename it to '1'"],
    ["a1", true, "not a version"],
    ["99999999999999999999", true, "not a version"],
    ["warmup", false, "warmup"],
    ["configs", false, "configs"],
    ["initial_state", false, "initial_state"],
  ])("%s is ignored", (name, warn, reason) => {
    expect(parseVersionDirectory(name)).toEqual({ kind: "ignored", warn, reason: expect.stringContaining(reason) });
  });
});
