// node deploy/docker/assemble-server.mjs <directory> [<architecture>]
// Copies what the built server needs at run time, and nothing else, into an empty directory: its bundle, the runner, and the
// two native packages with the binary files of one Linux architecture.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const [destination, architecture = process.arch] = process.argv.slice(2);
if (destination === undefined) fail("usage: assemble-server.mjs <directory> [<architecture>]");
const target = resolve(destination);

/** Whole packages, as npm installed them; `keep` chooses among their files. */
const PACKAGES = [
  { name: "onnxruntime-common" },
  { name: "onnxruntime-node", keep: (path) => path === "package.json" || /^dist\b/.test(path) || isEngine(path) },
  { name: "koffi", keep: (path) => !/^(vendor|doc)\b/.test(path) },
  { name: `@koromix/koffi-linux-${architecture}` },
];

copy("apps/server/package.json");
copy("apps/server/dist", (path) => !path.endsWith(".map"));
copy("packages/inference-worker/package.json");
copy("packages/inference-worker/dist", (path) => !path.endsWith(".map"));
copy("packages/llama-runner/package.json");
copy("packages/llama-runner/dist", (path) => !path.endsWith(".map"));
copy("packages/python-runner/package.json");
copy("packages/python-runner/python", (path) => !path.includes("__pycache__"));
for (const { name, keep } of PACKAGES) copy(join("node_modules", name), keep);
mkdirSync(join(target, "node_modules/@nereid"), { recursive: true });
for (const name of ["inference-worker", "python-runner"])
  link(`../../packages/${name}`, join(target, `node_modules/@nereid/${name}`));
link("../../packages/llama-runner", join(target, "node_modules/@nereid/llama-runner"));

const engine = join(target, "node_modules/onnxruntime-node/bin/napi-v6/linux", architecture);
if (!existsSync(engine)) fail(`onnxruntime-node has no binary files for linux/${architecture}`);
const declared = JSON.parse(readFileSync(join(root, "node_modules/onnxruntime-node/package.json"), "utf8")).version;
console.log(`server for linux/${architecture} with onnxruntime-node ${declared}: ${readdirSync(engine).join(", ")}`);

function isEngine(path) {
  const folder = `bin/napi-v6/linux/${architecture}`;
  return path === folder || path.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${path}/`);
}

function copy(path, keep = () => true) {
  const from = join(root, path);
  if (!existsSync(from)) fail(`${path} is missing; build first`);
  cpSync(from, join(target, path), {
    recursive: true,
    dereference: true,
    filter: (source) => source === from || keep(source.slice(from.length + 1)),
  });
}

function link(to, path) {
  rmSync(path, { force: true });
  symlinkSync(to, path, "dir");
}

function fail(text) {
  console.error(`assemble-server: ${text}`);
  process.exit(1);
}
