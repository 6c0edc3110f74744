import { describe, expect, it } from "vitest";
import { type ROLES, toRole } from "./actor.ts";
import { ALL_PERMISSIONS, authorise, can, permissionsOf } from "./permissions.ts";

const actor = (role: (typeof ROLES)[number]) => ({ id: "u1", name: "Ada", role, kind: "user" }) as const;
const key = (role: (typeof ROLES)[number], scopes: readonly string[]) =>
  ({ id: "k1", name: "CI", role, kind: "key", scopes, ownerId: "u1" }) as const;

const VIEWER = ["model.read", "metrics.read", "audit.read", "logs.read"];
const OPERATOR = [
  "model.read",
  "model.load",
  "model.unload",
  "model.deploy",
  "model.configure",
  "model.delete",
  "metrics.read",
  "model.infer",
  "audit.read",
  "logs.read",
  "slo.manage",
  "alert.acknowledge",
  "rollout.manage",
  "lab.run",
  "node.operate",
  "key.manage",
];

const ADMIN = [...OPERATOR, "channel.manage", "node.manage", "settings.manage", "user.manage"];

describe("permission table", () => {
  it.each([
    ["viewer", VIEWER],
    ["operator", OPERATOR],
    ["admin", ADMIN],
  ] as const)("%s may do exactly %j", (role, expected) => {
    expect(permissionsOf(actor(role)).toSorted()).toEqual(expected.toSorted());
  });

  it.each(ALL_PERMISSIONS)("an admin may %s, and a key without scopes may not", (permission) => {
    expect(can(actor("admin"), permission)).toBe(true);
    expect(can(key("admin", []), permission)).toBe(false);
  });

  it("a key may do what its scopes and its owner's role both allow", () => {
    expect(permissionsOf(key("viewer", ["model.load", "model.read"]))).toEqual(["model.read"]);
    expect(permissionsOf(key("admin", ["model.load"]))).toEqual(["model.load"]);
    expect(can({ role: "admin", kind: "key" }, "model.read")).toBe(false);
  });

  it("authorise names what is missing", () => {
    expect(() => authorise(actor("viewer"), "model.load")).toThrow(
      expect.objectContaining({ code: "FORBIDDEN", fix: expect.stringContaining("operator") }),
    );
    expect(() => authorise(key("admin", ["model.read"]), "model.load")).toThrow(
      expect.objectContaining({ code: "FORBIDDEN", fix: expect.stringContaining("scope model.load") }),
    );
    expect(() => authorise(actor("operator"), "model.load")).not.toThrow();
  });
});

it.each([
  ["admin", "admin"],
  ["root", "viewer"],
  [null, "viewer"],
  [undefined, "viewer"],
])("toRole(%j) is %s", (value, role) => {
  expect(toRole(value)).toBe(role);
});
