import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { credentials, status } from "@grpc/grpc-js";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, GrpcJsClient } from "../testing/grpc-js-client.ts";
import { floatRequest, floatsOf } from "../testing/grpc-requests.ts";
import { launchTestServer, startTestServer, testDirectory } from "../testing/start-test-server.ts";
import { offset } from "../testing/test-model.ts";

let directory: string;
const file = (name: string) => join(directory, name);
const pem = (name: string) => readFileSync(file(name));

/** A root, and certificates of a server and a client that it signed. */
beforeAll(() => {
  directory = mkdtempSync("/tmp/nst-tls-");
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: directory, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  for (const root of ["root", "other"])
    openssl(
      "req",
      "-x509",
      ...key,
      "-keyout",
      `${root}.key`,
      "-out",
      `${root}.pem`,
      "-days",
      "2",
      "-subj",
      `/CN=${root}`,
    );
  writeFileSync(file("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
  for (const [name, root] of [
    ["server", "root"],
    ["client", "root"],
    ["stranger", "other"],
  ] as const) {
    openssl("req", ...key, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
    openssl(
      "x509",
      "-req",
      "-in",
      `${name}.csr`,
      "-CA",
      `${root}.pem`,
      "-CAkey",
      `${root}.key`,
      "-CAcreateserial",
      "-out",
      `${name}.pem`,
      "-days",
      "2",
      "-extfile",
      "names",
    );
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const tls = () => [
  "--grpc-use-ssl=true",
  `--grpc-server-cert=${file("server.pem")}`,
  `--grpc-server-key=${file("server.key")}`,
];
const mutual = () => [...tls(), "--grpc-use-ssl-mutual=true", `--grpc-root-cert=${file("root.pem")}`];
const request = floatRequest("plus", [[1, 2]]);

async function codeOf(address: string, given: ReturnType<typeof credentials.createSsl>): Promise<number> {
  const client = new GrpcJsClient(address, { credentials: given });
  try {
    await client.call("modelInfer", request, { deadline: Date.now() + 5_000 });
    return status.OK;
  } catch (error) {
    return (error as { code: number }).code;
  } finally {
    client.close();
  }
}

describe("TLS", () => {
  it("serves clients that trust the root, and nobody in plain text", async () => {
    const server = await startTestServer({ models: [offset("plus", 1)], args: tls() });
    try {
      expect(await codeOf(server.grpcAddress, credentials.createSsl(pem("root.pem")))).toBe(status.OK);
      expect(await codeOf(server.grpcAddress, credentials.createSsl(pem("other.pem")))).toBe(status.UNAVAILABLE);
      const plain = new GrpcJsClient(server.grpcAddress);
      const refused = plain.call("modelInfer", request, { deadline: Date.now() + 5_000 });
      expect((await failureOf(refused))[0]).toBe(status.UNAVAILABLE);
      plain.close();
      expect(await codeOf(server.grpcAddress, credentials.createSsl(pem("root.pem")))).toBe(status.OK);
    } finally {
      await server.dispose();
    }
  });

  it("with client certificates serves those the root signed only", async () => {
    const server = await startTestServer({ models: [offset("plus", 1)], args: mutual() });
    try {
      const root = pem("root.pem");
      const with_ = (name: string) => credentials.createSsl(root, pem(`${name}.key`), pem(`${name}.pem`));
      expect(await codeOf(server.grpcAddress, with_("client"))).toBe(status.OK);
      expect(await codeOf(server.grpcAddress, with_("stranger"))).toBe(status.UNAVAILABLE);
      expect(await codeOf(server.grpcAddress, credentials.createSsl(root))).toBe(status.UNAVAILABLE);
      const ours = new GrpcClient({
        address: server.grpcAddress,
        tls: { root, certificate: pem("client.pem"), key: pem("client.key") },
      });
      const answer = await ours.infer("plus", {
        inputs: [{ name: "QUESTION", datatype: "FP32", shape: [1, 1], data: [4] }],
      });
      expect(floatsOf(answer.outputs[0]?.bytes)).toEqual([5]);
      await ours.close();
    } finally {
      await server.dispose();
    }
  });

  it.each([
    ["a missing file", ["--grpc-server-key=/nowhere/key.pem"], /--grpc-server-key/],
    ["a file that is no key", [], /--grpc-server-cert|PEM/],
    ["no root for client certificates", ["--grpc-use-ssl-mutual=true"], /--grpc-root-cert/],
  ])("does not start with %s, and says why", async (title, more, text) => {
    const base =
      title === "a file that is no key" ? [...tls().slice(0, 2), `--grpc-server-key=${file("names")}`] : tls();
    const server = launchTestServer(testDirectory(), { args: [...base, ...more] });
    try {
      expect((await server.exited).code).toBe(1);
      expect(server.stderr).toMatch(text);
    } finally {
      await server.dispose();
    }
  });
});
