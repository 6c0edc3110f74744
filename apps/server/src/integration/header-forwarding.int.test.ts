import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats } from "../testing/test-api.ts";
import { identity } from "../testing/test-model.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: [identity("m")],
    args: ["--http-header-forward-pattern=^(x-|priority$|timeout$|triton_|sequence_)"],
  });
});
afterAll(() => server.dispose());

const infer = (headers: Readonly<Record<string, string>>, path = "infer") =>
  path === "infer"
    ? server.api.infer("m", floats("INPUT_FP32", [[1]]), { headers })
    : server.api.post(`/v2/models/m/${path}`, { INPUT_FP32: 1 }, { headers });

describe("--http-header-forward-pattern", () => {
  it.each(["priority", "timeout", "triton_secret", "sequence_id", "sequence_start", "sequence_end"])(
    "refuses the reserved header %s",
    async (name) => {
      const reply = await infer({ [name]: "1" });
      expect([reply.status, errorOf(reply)]).toEqual([
        400,
        `Header '${name}' is reserved for Triton usage and cannot be forwarded.`,
      ]);
    },
  );

  it("forwards others, whatever their case, and is about infer only", async () => {
    expect((await infer({ "X-Tenant": "a", "x-tenant-2": "b" })).status).toBe(200);
    // As received: it is another name than the reserved one.
    expect((await infer({ Priority: "1" })).status).toBe(200);
    expect((await infer({ priority: "1" }, "generate")).status).toBe(200);
    expect((await infer({ priority: "1" }, "generate_stream")).status).toBe(200);
  });

  it("leaves headers alone that it does not find", async () => {
    expect((await infer({ headers: "1", binary_data_output: "1" })).status).toBe(200);
  });
});
