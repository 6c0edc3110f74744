import { describe, expect, it } from "vitest";
import { type ROLES, toRole } from "./actor.ts";
import { authorise, can, PERMISSIONS, type Permission, permissionsOf } from "./permissions.ts";

const actor = (role: (typeof ROLES)[number]) => ({ id: "u1", name: "Ada", role });

describe("permission table", () => {
  it.each([
    ["viewer", ["model.read", "metrics.read", "audit.read"]],
    ["operator", ["model.read", "model.load", "model.unload", "metrics.read", "audit.read"]],
    ["admin", ["model.read", "model.load", "model.unload", "metrics.read", "audit.read"]],
  ] as const)("%s may do exactly %j", (role, expected) => {
    expect(permissionsOf({ role })).toEqual(expected);
  });

  it.each(Object.keys(PERMISSIONS) as Permission[])("an admin may %s", (permission) => {
    expect(can(actor("admin"), permission)).toBe(true);
  });

  it("authorise names what is missing", () => {
    expect(() => authorise(actor("viewer"), "model.load")).toThrow(
      expect.objectContaining({ code: "FORBIDDEN", fix: expect.stringContaining("operator") }),
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
