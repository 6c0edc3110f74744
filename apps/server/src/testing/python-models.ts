import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestModel } from "./test-model.ts";

const MODELS = fileURLToPath(new URL("../../../../packages/python-runner/test-models", import.meta.url));

/** Why Python models cannot be tested on this machine; undefined when they can. */
export function whyNoPython(): string | undefined {
  try {
    execFileSync("python3", ["-c", "import sys, numpy; assert sys.version_info >= (3, 9)"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "there is no python3 with numpy on this machine";
  }
}

/** A model of packages/python-runner/test-models, under its own name or another; `config` is appended to its configuration. */
export function pythonModel(name: string, { as = name, config = "" } = {}): TestModel {
  const directory = join(MODELS, name);
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map((entry) => join(entry.parentPath, entry.name));
  const files = Object.fromEntries(
    paths.map((path) => [path.slice(directory.length + 1), readFileSync(path, "utf8")] as const),
  );
  const given = files["config.pbtxt"];
  return { name: as, files: config === "" ? files : { ...files, "config.pbtxt": `${given ?? ""}\n${config}\n` } };
}

/** A model made of this source. */
export function pythonSource(name: string, config: string, source: string): TestModel {
  return { name, files: { "config.pbtxt": `backend: "python"\n${config}\n`, "1/model.py": source } };
}
