import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { identity } from "../testing/test-model.ts";

const OPENSSL = "openssl";
/** The tests need certificates, and Node cannot make them. */
const withoutOpenssl = spawnSync(OPENSSL, ["version"]).status !== 0;

/** Certificates of an authority made for this test: of a server, of a client, and of a client that another authority signed. */
let directory: string;
const file = (name: string) => join(directory, name);

function openssl(...args: string[]): void {
  execFileSync(OPENSSL, args, { cwd: directory, stdio: "ignore" });
}

function authority(name: string): void {
  openssl(
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "2",
    "-subj",
    `/CN=${name}`,
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.pem`,
  );
}

function signed(name: string, by: string): void {
  openssl(
    "req",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-subj",
    `/CN=${name}`,
    "-addext",
    "subjectAltName=DNS:localhost,IP:127.0.0.1",
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.csr`,
  );
  openssl(
    "x509",
    "-req",
    "-in",
    `${name}.csr`,
    "-CA",
    `${by}.pem`,
    "-CAkey",
    `${by}.key`,
    "-CAcreateserial",
    "-copy_extensions",
    "copyall",
    "-days",
    "2",
    "-out",
    `${name}.pem`,
  );
}

beforeAll(() => {
  if (withoutOpenssl) return;
  directory = mkdtempSync("/tmp/nst-tls-");
  authority("root");
  authority("other-root");
  signed("server", "root");
  signed("client", "root");
  signed("stranger", "other-root");
});
afterAll(() => {
  if (!withoutOpenssl) rmSync(directory, { recursive: true, force: true });
});

function get(server: TestServer, path: string, client?: string): Promise<number> {
  const agent = new Agent({
    ca: readFileSync(file("root.pem")),
    ...(client !== undefined && {
      cert: readFileSync(file(`${client}.pem`)),
      key: readFileSync(file(`${client}.key`)),
    }),
  });
  return new Promise<number>((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port: server.api.url.port, path, agent }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    outgoing.on("error", reject);
    outgoing.end();
  }).finally(() => agent.destroy());
}

const files = () => [`--http-server-cert=${file("server.pem")}`, `--http-server-key=${file("server.key")}`];

describe.skipIf(withoutOpenssl)("--http-use-ssl", () => {
  it("serves HTTPS and nothing else on the port, and outlives who speaks something else", async () => {
    const server = await startTestServer({ models: [identity("m")], args: ["--http-use-ssl=true", ...files()] });
    try {
      expect(await get(server, "/v2/health/ready")).toBe(200);
      expect(await get(server, "/v2/models/nobody/ready")).toBe(404);
      await expect(server.api.call("/v2/health/ready")).rejects.toThrow();
      await new Promise<void>((resolve) => {
        const socket = connect({ host: "127.0.0.1", port: Number(server.api.url.port) }, () =>
          socket.end("\x16\x03\x01junk"),
        );
        socket.on("error", () => undefined);
        socket.on("close", () => resolve());
        socket.resume();
      });
      expect(await get(server, "/v2/health/ready")).toBe(200);
    } finally {
      await server.dispose();
    }
  });

  it("with --http-use-ssl-mutual asks for a certificate of the root", async () => {
    const args = ["--http-use-ssl-mutual", ...files(), `--http-root-cert=${file("root.pem")}`];
    const server = await startTestServer({ models: [identity("m")], args });
    try {
      expect(await get(server, "/v2/models/m/ready", "client")).toBe(200);
      await expect(get(server, "/v2/models/m/ready")).rejects.toThrow();
      await expect(get(server, "/v2/models/m/ready", "stranger")).rejects.toThrow();
    } finally {
      await server.dispose();
    }
  });

  it.each([
    ["a certificate that is not there", ["--http-server-cert=/nowhere.pem"], "--http-server-cert"],
    ["a key that is not there", ["--http-server-key=/nowhere.pem"], "--http-server-key"],
    ["a key of another certificate", () => [`--http-server-key=${file("client.key")}`], "belong together"],
    ["a root that is not there", ["--http-use-ssl-mutual", "--http-root-cert=/nowhere.pem"], "--http-root-cert"],
  ])("does not start with %s", async (_, wrong, text) => {
    const args = ["--http-use-ssl", ...files(), ...(typeof wrong === "function" ? wrong() : wrong)];
    const server = launchTestServer(testDirectory(), { args });
    try {
      expect((await server.exited).code).toBe(1);
      expect(server.stderr).toContain(text);
    } finally {
      await server.dispose();
    }
  });
});
