import { NereidError } from "@nereid/errors";
import { describe, expect, it } from "vitest";
import { curlOf, describePage } from "./describe-page.ts";
import { openApiDocument } from "./openapi.ts";
import { problemResponse, toProblem } from "./problem.ts";
import { matchRoute, OPERATIONS, procedures } from "./routes.ts";

describe("routes", () => {
  it("every procedure that is no stream has one, and streams have none", () => {
    for (const [name, { type, meta }] of procedures()) {
      expect([name, meta?.rest !== undefined]).toEqual([name, type !== "subscription"]);
    }
  });

  it("no two collide", () => {
    const shapes = OPERATIONS.map(({ route }) => `${route.method} ${route.path.replace(/\{\w+\}/g, "{}")}`);
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  // What they look at is too much for an address.
  const READS_WITH_A_BODY = ["config.check", "diagnose.run", "slos.preview"];

  it("what reads takes GET, and GET only reads", () => {
    const types = new Map(procedures().map(([name, { type }]) => [name, type]));
    for (const { name, route } of OPERATIONS) {
      if (READS_WITH_A_BODY.includes(name)) continue;
      expect([name, route.method === "GET"]).toEqual([name, types.get(name) === "query"]);
    }
  });

  it.each([
    ["GET", "/models", "models.list", {}],
    ["GET", "/models/", "models.list", {}],
    ["GET", "/models/a%2Fb", "models.get", { name: "a/b" }],
    ["GET", "/users/invitations", "users.invitations", {}],
    ["DELETE", "/users/invitations/i1", "users.revokeInvitation", { id: "i1" }],
    ["GET", "/models/m/versions/1/compare/2", "versions.compare", { name: "m", a: "1", b: "2" }],
    ["POST", "/models/m/config/history/x/restore", "config.restore", { name: "m", id: "x" }],
    ["POST", "/users/invite", "users.invite", {}],
  ])("%s %s is %s", (method, path, name, params) => {
    expect(matchRoute(method, path)).toMatchObject({ kind: "found", operation: { name }, params });
  });

  it("knows which methods an address takes, and which addresses there are not", () => {
    expect(matchRoute("PATCH", "/models/m")).toEqual({ kind: "other-method", allowed: ["GET", "DELETE"] });
    for (const path of ["/", "/nothing", "/models/m/x/y/z", "/models/%ff"]) {
      expect(matchRoute("GET", path)).toEqual({ kind: "none" });
    }
  });
});

describe("problems", () => {
  it("have our code, the fix, the details and the request's id", async () => {
    const error = new NereidError("CONFLICT", "changed meanwhile", { fix: "read it again", details: { digest: "d" } });
    const response = problemResponse(error, "r1");
    expect([response.status, response.headers.get("content-type")]).toEqual([409, "application/problem+json"]);
    expect(await response.json()).toEqual({
      type: "urn:nereid:problem:conflict",
      title: "Conflict",
      status: 409,
      detail: "changed meanwhile",
      code: "CONFLICT",
      fix: "read it again",
      requestId: "r1",
      details: { digest: "d" },
    });
  });

  it("never show a foreign error's words", () => {
    const problem = toProblem(new Error("SELECT secret"), "r1");
    expect(problem).toMatchObject({ status: 500, code: "INTERNAL" });
    expect(JSON.stringify(problem)).not.toContain("SELECT");
  });
});

describe("the OpenAPI document", () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as object).map(([method, operation]) => ({ path, method, operation })),
  );

  it("is OpenAPI 3.1 with an operation for every route", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.components.securitySchemes).toMatchObject({ key: { scheme: "bearer" }, session: { in: "cookie" } });
    for (const { name, route } of OPERATIONS) {
      expect(document.paths[route.path]?.[route.method.toLowerCase()]?.operationId).toBe(name);
    }
  });

  it("names each operation once, with a summary, answers and every parameter of its path", () => {
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { path, operation } of operations) {
      expect(operation.summary).toMatch(/\S/);
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([expect.stringMatching(/^20\d$/)]));
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      const declared = (operation.parameters ?? []).filter((one: { in: string }) => one.in === "path");
      expect(declared.map((one: { name: string }) => one.name).sort()).toEqual(named);
      for (const one of operation.parameters ?? []) expect(one.schema).toBeTypeOf("object");
    }
  });

  it("refers only to what it has", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? "");
    expect(references.length).toBeGreaterThan(50);
    for (const reference of new Set(references)) {
      const found = reference.split("/").reduce((value: unknown, key) => Reflect.get(value as object, key), document);
      expect([reference, typeof found]).toEqual([reference, "object"]);
    }
  });

  it("says what moments and limits are", () => {
    const { parameters } = document.paths["/audit"].get;
    const schemaOf = (name: string) => parameters.find((one: { name: string }) => one.name === name).schema;
    expect(schemaOf("from")).toEqual({ type: "string", format: "date-time" });
    expect(schemaOf("limit")).toMatchObject({ type: "integer", minimum: 1, maximum: 200 });
    expect(document.components.schemas.Keys.items.properties.createdAt).toEqual({
      type: "string",
      format: "date-time",
    });
  });
});

describe("the page for people", () => {
  it("lists every operation and loads nothing", () => {
    const page = describePage("http://127.0.0.1:3000");
    for (const { route } of OPERATIONS) expect(page).toContain(`<b>${route.method}</b> <code>${route.path}</code>`);
    expect(page).not.toMatch(/<script|src=|@import|url\(/);
  });

  it("has a curl line that can be filled in", () => {
    const operation = OPERATIONS.find(({ name }) => name === "versions.remove");
    expect(operation && curlOf(operation, "http://h")).toBe(
      `curl -X DELETE 'http://h/api/v1/models/NAME/versions/VERSION?confirm=CONFIRM' \\\n  -H "Authorization: Bearer $NEREID_KEY"`,
    );
  });
});
