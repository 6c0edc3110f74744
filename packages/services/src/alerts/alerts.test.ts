import { describe, expect, it } from "vitest";
import { planAlerts } from "./plan-alerts.ts";
import { isPublicAddress } from "./public-address.ts";
import { isSignedWith, signMessage } from "./sign-message.ts";

const trouble = (key: string) => ({ key, severity: "page", title: key, facts: {} }) as const;

describe("planAlerts()", () => {
  it("opens what is new, closes what is over, leaves what goes on", () => {
    const plan = planAlerts([trouble("a"), trouble("b"), trouble("b")], { openKeys: ["b", "c"] });
    expect(plan.open.map(({ key }) => key)).toEqual(["a"]);
    expect(plan.close).toEqual(["c"]);
  });

  it("does not close what nothing could be found out about", () => {
    expect(planAlerts([], { openKeys: ["slo/1/fast", "x"], unknown: (key) => key.startsWith("slo/") }).close).toEqual([
      "x",
    ]);
  });
});

describe("isPublicAddress()", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:db8::1",
    "not an address",
    "",
  ])("%s lies inside", (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(["1.1.1.1", "172.32.0.1", "93.184.216.34", "2606:4700::1111"])("%s lies outside", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
});

describe("signatures", () => {
  it("fit only the same secret, time and body", () => {
    const message = { timestamp: "1700000000", body: '{"a":1}' };
    const signature = signMessage("secret", message);
    expect(isSignedWith("secret", { ...message, signature })).toBe(true);
    expect(isSignedWith("other", { ...message, signature })).toBe(false);
    expect(isSignedWith("secret", { ...message, timestamp: "1700000001", signature })).toBe(false);
    expect(isSignedWith("secret", { ...message, body: "{}", signature })).toBe(false);
    expect(isSignedWith("secret", { ...message, signature: "zz" })).toBe(false);
  });
});
