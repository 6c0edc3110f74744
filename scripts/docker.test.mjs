import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { FLAGS } from "../apps/server/src/options/flag-table.ts";
import { parseOptions } from "../apps/server/src/options/parse-options.ts";
import { readEnv } from "../apps/web/src/env.ts";
import { root } from "./lib.mjs";
import { instructionsOf, parseDockerfile } from "./testing/dockerfile.mjs";
import { isIgnored } from "./testing/dockerignore.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
const DOCKERFILES = ["server", "web"].map((name) => ({ name, stages: parseDockerfile(read(dockerfileOf(name))) }));
const IMAGES = DOCKERFILES.flatMap(({ name, stages }) =>
  stages
    .filter((stage) => instructionsOf(stage, "ENTRYPOINT").length > 0)
    .map((stage) => ({ name, target: stage.name, stage, stages })),
);
const RULES = read(".dockerignore");
const compose = parse(read("docker-compose.yml"), { merge: true });
const gpu = parse(read("docker-compose.gpu.yml"), { merge: true });
const services = Object.entries(compose.services);
const temporary = [];

afterAll(() => {
  for (const directory of temporary) rmSync(directory, { recursive: true, force: true });
});

function dockerfileOf(name) {
  return `deploy/docker/${name}.Dockerfile`;
}

/** A value of the compose file as it is with this environment; throws where a required variable is missing. */
function interpolate(text, env) {
  return String(text).replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, rest) => {
    const value = env[name];
    if (value !== undefined && value !== "") return value;
    if (kind === "?") throw new Error(rest);
    return rest ?? "";
  });
}

const SECRETS = { NEREID_MANAGEMENT_KEY: "key", POSTGRES_PASSWORD: "word" };
const environmentOf = (service, env) =>
  Object.fromEntries(Object.entries(service.environment).map(([name, value]) => [name, interpolate(value, env)]));
const imageOf = (name) => IMAGES.find((image) => image.name === name && image.target === name);
const envOf = (stage) =>
  Object.fromEntries(instructionsOf(stage, "ENV").flatMap(({ args }) => args.map((pair) => pair.split("="))));

describe("the build context", () => {
  const workspaces = ["apps", "packages"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/package.json`),
  );

  it.each([
    ...workspaces,
    "package.json",
    "package-lock.json",
    ".npmrc",
    "turbo.json",
    "tsconfig.base.json",
    "apps/server/src/main.ts",
    "apps/web/src/features/models/model-state.ts",
    "packages/db/scripts/generate.mjs",
    "prisma/schema.base.prisma",
    "deploy/docker/assemble-server.mjs",
  ])("has %s", (path) => {
    expect(existsSync(join(root, path))).toBe(true);
    expect(isIgnored(RULES, path)).toBe(false);
  });

  it.each([
    ".env",
    "apps/web/.env.local",
    ".git/config",
    "state/setup-token",
    "node_modules/next/package.json",
    "apps/web/node_modules/x/package.json",
    "apps/web/.next/BUILD_ID",
    "apps/server/dist/server.js",
    "packages/db/generated/sqlite/client.ts",
    "model_repo_extra/ocr_det/1/model.onnx",
    "packages/errors/src/errors.test.ts",
  ])("does not have %s", (path) => {
    expect(isIgnored(RULES, path)).toBe(true);
  });
});

describe.each(DOCKERFILES)("$name.Dockerfile", ({ stages }) => {
  it("copies only what is in the context or was made by a stage before", () => {
    for (const [index, stage] of stages.entries()) {
      for (const { flags, args } of instructionsOf(stage, "COPY")) {
        const from = flags["from"];
        if (from === undefined) {
          expect(args).toEqual([".", "."]);
          continue;
        }
        const before = stages.slice(0, index).map(({ name }) => name);
        expect(before).toContain(from);
        const source = args[0];
        // Node itself is in the base image; everything else has to be made by an instruction.
        if (source === "/usr/local/bin/node") continue;
        const built = stages.slice(0, index).flatMap((earlier) => instructionsOf(earlier, "RUN"));
        const maker = source === "/image" ? "assemble-server.mjs /image" : "turbo run build --filter=@nereid/web";
        expect(built.some(({ text }) => text.includes(maker))).toBe(true);
      }
    }
  });

  it("installs from the lock file and with a pinned major version of Node", () => {
    const [build] = stages;
    expect(build.base).toMatch(/^node:24-\w+-slim$/);
    expect(instructionsOf(build, "RUN").some(({ text }) => text.includes("npm ci"))).toBe(true);
  });
});

describe.each(IMAGES)("image $target", ({ name, stage }) => {
  it("runs as a user that is not root", () => {
    const [user, ...more] = instructionsOf(stage, "USER");
    expect(more).toEqual([]);
    expect(user?.text).toBe("1000:1000");
  });

  it("checks its health with Node itself, on a port it exposes", () => {
    const [check] = instructionsOf(stage, "HEALTHCHECK");
    const [program, flag, script] = check?.args ?? [];
    expect([program, flag]).toEqual(["node", "-e"]);
    const url = new URL(/fetch\('([^']+)'\)/.exec(script)?.[1] ?? "");
    expect(instructionsOf(stage, "EXPOSE").flatMap(({ args }) => args)).toContain(url.port);
    if (name === "web") expect(existsSync(join(root, `apps/web/src/app${url.pathname}/route.ts`))).toBe(true);
    else expect(url.pathname).toBe("/v2/health/live");
    expect(() => new Function(script)).not.toThrow();
  });

  it("starts what the build makes", () => {
    const [program, entry] = instructionsOf(stage, "ENTRYPOINT")[0]?.args ?? [];
    const directory = instructionsOf(stage, "WORKDIR")[0]?.text;
    expect(program).toBe("node");
    if (name === "web") {
      expect(`${directory}/${entry}`).toBe("/app/apps/web/server.js");
      expect(read("apps/web/scripts/build.mjs")).toContain('join(standalone, "apps/web")');
    } else {
      expect(`${directory}/${entry}`).toBe("/app/apps/server/dist/server.js");
      expect(read("deploy/docker/assemble-server.mjs")).toContain('copy("apps/server/dist"');
    }
  });

  it("keeps its state in a volume that its user may write", () => {
    const state = envOf(stage)["NEREID_STATE_DIR"];
    expect(instructionsOf(stage, "VOLUME").flatMap(({ args }) => args)).toContain(state);
    expect(instructionsOf(stage, "RUN").some(({ text }) => /chown (node:node|1000:1000) \/state/.test(text))).toBe(
      true,
    );
  });
});

it("the two server images start in the same way", () => {
  const [one, other] = IMAGES.filter(({ name }) => name === "server").map(({ stage }) =>
    ["ENV", "USER", "EXPOSE", "VOLUME", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"].map((instruction) =>
      instructionsOf(stage, instruction).map(({ text }) => text),
    ),
  );
  expect(other).toEqual(one);
});

describe("docker-compose.yml", () => {
  it.each(services)("%s is held in", (_, service) => {
    expect(service.cap_drop).toEqual(["ALL"]);
    expect(service.security_opt).toEqual(["no-new-privileges:true"]);
    expect(service.read_only).toBe(true);
    expect(service.init).toBe(true);
    expect(service.cpus).toBeDefined();
    expect(service.mem_limit).toBeDefined();
    expect(service.pids_limit).toBeGreaterThan(0);
  });

  it.each(services)("%s publishes ports of its image on this machine only", (name, service) => {
    const exposed = name in { server: 1, web: 1 } ? instructionsOf(imageOf(name).stage, "EXPOSE")[0].args : [];
    for (const text of service.ports ?? []) {
      const [address, , port] = interpolate(text, SECRETS).split(":");
      expect(address).toBe("127.0.0.1");
      expect(exposed).toContain(port);
    }
  });

  it("builds stages that exist", () => {
    for (const [name, service] of services.filter(([, { build }]) => build !== undefined)) {
      expect(service.build.dockerfile).toBe(dockerfileOf(name));
      expect(imageOf(name)?.target).toBe(service.build.target);
    }
    expect(IMAGES.map(({ target }) => target)).toContain(gpu.services.server.build.target);
  });

  it("asks for the secrets and takes none from itself", () => {
    for (const name of Object.keys(SECRETS)) {
      const env = { ...SECRETS, [name]: "" };
      expect(() => services.map(([, service]) => environmentOf(service, env))).toThrow(new RegExp(name));
    }
  });

  it("starts the server with options and variables it knows", () => {
    const { server } = compose.services;
    const env = { ...envOf(imageOf("server").stage), ...environmentOf(server, SECRETS) };
    const parsed = parseOptions(server.command, env);
    if (parsed.kind !== "run") throw new Error("expected options");
    expect(parsed.options).toMatchObject({
      httpAddress: "0.0.0.0",
      httpPort: 8000,
      metricsPort: 8002,
      modelRepositories: ["/models"],
      stateDirectory: "/state",
      managementKey: "key",
      allowedHosts: ["server"],
      grpc: { address: "0.0.0.0", port: 8001 },
      notices: [],
    });
    const targets = server.volumes.map(({ target }) => target);
    expect(targets).toEqual(["/models", "/state"]);
    expect(server.shm_size).toBeDefined();
    const [command] = instructionsOf(imageOf("server").stage, "CMD");
    for (const argument of command.args) expect(FLAGS).toHaveProperty([argument.replace(/^--|=.*$/g, "")]);
  });

  it("starts the dashboard with variables it knows, against the server and the database beside it", () => {
    const { web, postgres } = compose.services;
    const variables = { ...envOf(imageOf("web").stage), ...environmentOf(web, SECRETS) };
    const source = read("apps/web/src/env.ts");
    for (const name of Object.keys(web.environment)) expect(source).toContain(`  ${name}: `);
    const env = readEnv(variables, "/app/apps/web");
    expect(env).toMatchObject({ serverUrl: "http://server:8000", serverKey: "key", stateDir: "/state" });
    expect(env.firstAdmin).toBeUndefined();
    const url = new URL(env.databaseUrl);
    expect([url.hostname, url.username, url.pathname]).toEqual([
      "postgres",
      postgres.environment.POSTGRES_USER,
      `/${postgres.environment.POSTGRES_DB}`,
    ]);
    expect(url.password).toBe("word");
    expect(web.depends_on).toEqual({
      postgres: { condition: "service_healthy" },
      server: { condition: "service_healthy" },
    });
    expect(web.networks).toEqual(expect.arrayContaining(postgres.networks));
    expect(postgres.healthcheck.test).toContain("pg_isready");
  });

  const hasCompose = spawnSync("docker", ["compose", "version"]).status === 0;
  it.skipIf(!hasCompose)("is read by docker compose, also with the GPU file", () => {
    const files = ["-f", "docker-compose.yml", "-f", "docker-compose.gpu.yml"];
    const env = { ...process.env, ...SECRETS };
    const result = spawnSync("docker", ["compose", ...files, "config", "--quiet"], {
      cwd: root,
      env,
      encoding: "utf8",
    });
    expect(result.stderr).toBe("");
    expect(result.status).toBe(0);
  });
});

describe("assemble-server.mjs", () => {
  const built = ["apps/server/dist/server.js", "packages/inference-worker/dist/runner.js"];
  const isBuilt = process.platform === "linux" && built.every((path) => existsSync(join(root, path)));

  it.skipIf(!isBuilt)("makes a folder in which everything the server asks for is found, for one architecture", () => {
    const target = mkdtempSync(join(tmpdir(), "nereid-image-"));
    temporary.push(target);
    const script = join(root, "deploy/docker/assemble-server.mjs");
    const result = spawnSync(process.execPath, [script, target], { encoding: "utf8" });
    expect(result.stderr).toBe("");
    const require = createRequire(join(target, "apps/server/dist/server.js"));
    for (const name of ["koffi", "onnxruntime-node", "@nereid/inference-worker/runner"])
      expect(require.resolve(name).startsWith(target)).toBe(true);
    expect(lstatSync(join(target, "node_modules/@nereid/inference-worker")).isSymbolicLink()).toBe(true);
    const engine = join(target, "node_modules/onnxruntime-node/bin/napi-v6");
    expect(readdirSync(engine)).toEqual(["linux"]);
    expect(readdirSync(join(engine, "linux"))).toEqual([process.arch]);
    const loading = "require('koffi').load('libc.so.6'); require('onnxruntime-node').listSupportedBackends()";
    const loaded = spawnSync(process.execPath, ["-e", loading], { cwd: join(target, "apps/server"), encoding: "utf8" });
    expect(loaded.stderr).toBe("");
  });
});
