import * as fs from "node:fs";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as sdk from "@nereid/client";
import * as grpcSdk from "@nereid/client/grpc";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";

const root = join(import.meta.dirname, "../../../..");
const MODULES: Readonly<Record<string, object>> = {
  "@nereid/client": sdk,
  "@nereid/client/grpc": grpcSdk,
  "node:fs": fs,
};

/** What each example prints, in the order of the page. */
const PRINTED = [
  ["first 1 2"],
  ["3"],
  ["INVALID_ARGUMENT 400", "CANCELLED"],
  ["0.5,1.5", "identity_fp32 2.5"],
  ["7", "1 1", "2 2", "3 3"],
  ["2.5"],
  ["true", "0 simple 4", "500"],
];

const examples = [
  ...readFileSync(join(root, "docs/sdk.md"), "utf8").matchAll(/^## (.+)$|```ts\n([\s\S]*?)```/gm),
].reduce<{ title: string; code: string }[]>((found, [, heading, code]) => {
  const title = heading ?? found.at(-1)?.title ?? "";
  if (code !== undefined) return [...found.filter((example) => example.code !== ""), { title, code }];
  return [...found.filter((example) => example.code !== ""), { title, code: "" }];
}, []);

let server: TestServer;

beforeAll(async () => {
  const directory = testDirectory();
  cpSync(join(root, "model_repo"), join(directory, "repository"), { recursive: true });
  server = launchTestServer(directory, { args: ["--allow-client-shm=true"] });
  await server.ready();
});

afterAll(() => server?.dispose());

/** Runs an example with its imports and its console handed in. */
async function printedBy(code: string): Promise<readonly string[]> {
  const local = code
    .replaceAll("http://localhost:8000", server.api.url.origin)
    .replaceAll("localhost:8001", server.grpcAddress)
    .replace(/^import \{ (.+) \} from "(.+)";$/gm, 'const { $1 } = modules["$2"];');
  const { code: script } = await transform(`async function example() {\n${local}\n}`, { loader: "ts" });
  const lines: string[] = [];
  const print = { log: (...values: unknown[]) => lines.push(values.map(String).join(" ")) };
  const run = new Function("modules", "console", `${script}\nreturn example();`) as (
    modules: object,
    console: object,
  ) => Promise<void>;
  await run(MODULES, print);
  return lines;
}

describe("the examples of docs/sdk.md", () => {
  it.each(examples.map(({ title, code }, index) => [title, code, PRINTED[index]] as const))(
    "%s",
    async (_, code, printed) => {
      expect(await printedBy(code)).toEqual(printed);
    },
  );

  it("are all known here", () => {
    expect(examples).toHaveLength(PRINTED.length);
  });
});
