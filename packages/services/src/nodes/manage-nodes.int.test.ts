import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testContext } from "../testing/service-context.ts";
import { addNode, editNode } from "./manage-nodes.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it("a stored key could be sent to another host by changing the address of metrics or gRPC", async () => {
  const ctx = testContext(test.db, "admin");
  const fields = { name: "b", kind: "triton" as const, url: "http://10.0.0.7:8000" };
  const { id } = await addNode({ ctx, input: { ...fields, key: "k", grpcUrl: "https://10.0.0.7:9001/" } });
  expect(await test.db.node.findUnique({ where: { id } })).toMatchObject({ grpcUrl: "https://10.0.0.7:9001" });
  for (const elsewhere of [{ metricsUrl: "http://evil.example/metrics" }, { grpcUrl: "http://evil.example:8001" }]) {
    await expect(editNode({ ctx, input: { id, ...fields, ...elsewhere } })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining(`${Object.keys(elsewhere)[0]}: the address is another host's`),
    });
  }
  await editNode({ ctx, input: { id, ...fields, grpcUrl: "http://10.0.0.7:9002" } });
  await editNode({ ctx, input: { id, ...fields, key: "again", grpcUrl: "http://proxy.example:8001" } });
  // It was given for there.
  await editNode({ ctx, input: { id, ...fields, name: "c", grpcUrl: "http://proxy.example:8001" } });
  expect(await test.db.node.findUnique({ where: { id } })).toMatchObject({
    name: "c",
    grpcUrl: "http://proxy.example:8001",
  });
  await expect(editNode({ ctx: testContext(test.db), input: { id, ...fields } })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});
