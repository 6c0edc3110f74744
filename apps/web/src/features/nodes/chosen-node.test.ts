import { describe, expect, it } from "vitest";
import { lookAtAddress, nodeOfSearch, withNode } from "./chosen-node.ts";

describe("the node that a page is about", () => {
  it("is the one that the address names", () => {
    expect(lookAtAddress({ node: null, seen: null }, "b")).toEqual({ node: "b", seen: "b" });
    expect(lookAtAddress({ node: "b", seen: "b" }, "local")).toEqual({ node: null, seen: "local" });
  });

  it("stays when a link names none, and when one chose another before the address followed", () => {
    expect(lookAtAddress({ node: "b", seen: "b" }, null)).toEqual({ node: "b", seen: null });
    expect(lookAtAddress({ node: null, seen: "b" }, "b")).toEqual({ node: null, seen: "b" });
  });

  it("is the local one where an address that was gone back to names none", () => {
    expect([nodeOfSearch(""), nodeOfSearch("?node=b&q=1"), nodeOfSearch("?node=local")]).toEqual([null, "b", null]);
  });

  it.each([
    ["/models", "b", "/models?node=b"],
    ["/models?q=x&node=a#top", "b", "/models?q=x&node=b#top"],
    ["/models?node=a&q=x", null, "/models?q=x"],
    ["/?node=a", null, "/"],
  ])("%s for %s is %s", (href, node, expected) => expect(withNode(href, node)).toBe(expected));
});
