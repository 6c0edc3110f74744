import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InstanceSpec } from "../models/model-spec.ts";
import { coreListText, parseCoreList } from "./core-list.ts";
import { chooseCores, coresOfPolicies, policyNameOf } from "./host-policies.ts";

const instance = (fields: Partial<InstanceSpec> = {}): InstanceSpec => ({
  name: "i",
  kind: "KIND_CPU",
  device: 0,
  ...fields,
});

describe("parseCoreList()", () => {
  it.each([
    ["0", [0]],
    ["0-3", [0, 1, 2, 3]],
    ["8,0-1,1", [0, 1, 8]],
    [" 0-1 , 3\n", [0, 1, 3]],
  ])("reads '%s'", (text, cores) => {
    expect(parseCoreList(text)).toEqual(cores);
  });

  it.each(["", "a", "3-1", "0-", "-1", "1024", "0,,1", "0x1"])("refuses '%s'", (text) => {
    expect(parseCoreList(text)).toBeUndefined();
  });

  it("reads what coreListText() writes", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 1023 }), { minLength: 1 }), (cores) => {
        expect(parseCoreList(coreListText(cores))).toEqual([...cores].sort((a, b) => a - b));
      }),
    );
    expect(coreListText([3, 0, 1, 2, 8])).toBe("0-3,8");
  });
});

describe("policyNameOf()", () => {
  it("is the group's, else that of the kind", () => {
    expect(policyNameOf(instance({ hostPolicy: "mine" }))).toBe("mine");
    expect(policyNameOf(instance())).toBe("cpu");
    expect(policyNameOf(instance({ kind: "KIND_GPU", device: 2 }))).toBe("gpu_2");
    expect(policyNameOf(instance({ kind: "KIND_MODEL" }))).toBe("model");
  });
});

describe("coresOfPolicies()", () => {
  it("asks for the cores of a NUMA node where none are named, and says which is not there", () => {
    const policies = new Map([
      ["named", { cores: [5], numaNode: 0 }],
      ["node", { numaNode: 1 }],
      ["none", { numaNode: 7 }],
    ]);
    const { cores, problems } = coresOfPolicies(policies, (node) => (node === 1 ? "4-5\n" : undefined));
    expect([...cores]).toEqual([
      ["named", [5]],
      ["node", [4, 5]],
    ]);
    expect(problems).toEqual(["host policy 'none' has no effect: this machine tells no cores of NUMA node 7"]);
  });
});

describe("chooseCores()", () => {
  const cores = new Map([
    ["cpu", [0, 1]],
    ["other", [1, 3]],
  ]);

  it("binds to the cores of the one policy", () => {
    expect(chooseCores([instance(), instance()], cores)).toEqual({ cores: [0, 1] });
  });

  it("binds nothing without a policy", () => {
    expect(chooseCores([instance({ hostPolicy: "unknown" })], cores)).toEqual({ cores: undefined });
  });

  it("binds to the cores of all policies of one process, and says so", () => {
    const choice = chooseCores([instance(), instance({ hostPolicy: "other" })], cores);
    expect(choice.cores).toEqual([0, 1, 3]);
    expect(choice.warning).toContain("it is bound to the cores of all of them, 0-1,3");
  });

  it("does not bind instances without a policy to the cores of others", () => {
    const choice = chooseCores([instance(), instance({ hostPolicy: "unknown" })], cores);
    expect(choice.cores).toBeUndefined();
    expect(choice.warning).toContain("it is not bound");
  });
});
