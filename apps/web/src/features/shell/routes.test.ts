import { expect, it } from "vitest";
import { crumbsOf } from "./routes.ts";

it.each([
  ["/models", [["Models", "/models"]]],
  [
    "/models/a%2Bb",
    [
      ["Models", "/models"],
      ["a+b", "/models/a%2Bb"],
    ],
  ],
  [
    "/models/%E0",
    [
      ["Models", "/models"],
      ["%E0", "/models/%E0"],
    ],
  ],
  [
    "/models/config/config",
    [
      ["Models", "/models"],
      ["config", "/models/config"],
      ["Config", "/models/config/config"],
    ],
  ],
  [
    "/settings/keys",
    [
      ["Settings", "/settings"],
      ["API keys", "/settings/keys"],
    ],
  ],
  [
    "/load-tests/d8082582-fec3-42f8-a12c-c9cf1e52d283",
    [
      ["Load tests", "/load-tests"],
      ["d8082582", "/load-tests/d8082582-fec3-42f8-a12c-c9cf1e52d283"],
    ],
  ],
  [
    "/load-tests/new",
    [
      ["Load tests", "/load-tests"],
      ["New", "/load-tests/new"],
    ],
  ],
  ["/unknown", []],
  ["/", [["Overview", "/"]]],
])("crumbs of %s", (pathname, expected) => {
  expect(crumbsOf(pathname).map(({ title, path }) => [title, path])).toEqual(expected);
});
