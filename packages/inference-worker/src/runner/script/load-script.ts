import { spawnSync } from "node:child_process";
import { existsSync, realpathSync, statSync } from "node:fs";
import { createRequire, register } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { NereidError } from "@nereid/errors";
import { describeThrown } from "./script-failure.ts";
import type { Script } from "./script-types.ts";

const NAMES = ["model.mjs", "model.js", "model.ts", "model.node"];

/**
 * Loads a script from its file or from the version's directory. INVALID_ARGUMENT when there is none, when it cannot be loaded or
 * when it has no `execute`.
 */
export async function loadScript(path: string, directory: string): Promise<Script> {
  const file = findScript(path);
  let loaded: Readonly<Record<string, unknown>>;
  try {
    loaded = await read(file);
  } catch (error) {
    const place = error instanceof SyntaxError ? syntaxErrorPlace(file) : "";
    const text = describeThrown(error, directory) + place;
    throw new NereidError("INVALID_ARGUMENT", `script '${file}' cannot be loaded: ${text}`);
  }
  const script = scriptOf(loaded, directory);
  if (script === undefined)
    throw new NereidError(
      "INVALID_ARGUMENT",
      `script '${file}' does not implement 'execute': export a function of that name, or as default a class or an object that has it`,
    );
  return script;
}

function findScript(path: string): string {
  const file = existsSync(path) ? realpathSync(path) : path;
  const isDirectory = existsSync(file) && statSync(file).isDirectory();
  const found = isDirectory ? NAMES.map((name) => join(file, name)).find((name) => existsSync(name)) : file;
  if (found !== undefined && /\.([mc]?js|m?ts|node)$/.test(found) && existsSync(found)) return found;
  throw new NereidError(
    "INVALID_ARGUMENT",
    `no script at '${file}': a javascript model is a file ${NAMES.join(" or ")} in its version directory`,
  );
}

/** Of the addon what it exports; a module that exports by `module.exports` has that as default. */
async function read(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (file.endsWith(".node")) return createRequire(import.meta.url)(file);
  if (/\.m?ts$/.test(file)) {
    process.setSourceMapsEnabled(true);
    register(new URL("./typescript-hooks.js", import.meta.url).href);
  }
  return import(pathToFileURL(file).href);
}

/** Where in the file the syntax is wrong. Node tells it only when it prints the error itself. */
function syntaxErrorPlace(file: string): string {
  if (!/\.[mc]?js$/.test(file)) return "";
  const { stderr } = spawnSync(process.execPath, ["--check", file], { encoding: "utf8" });
  const line = stderr?.split("\n").find((text) => text.startsWith(`${file}:`));
  return line === undefined ? "" : `\nat ${basename(file)}${line.slice(file.length)}`;
}

function scriptOf(loaded: Readonly<Record<string, unknown>>, directory: string): Script | undefined {
  const main = loaded["default"];
  if (isScript(loaded)) return loaded;
  if (isScript(main)) return main;
  if (typeof main !== "function" || !isScript(main.prototype)) return undefined;
  try {
    const instance: Script = Reflect.construct(main, []);
    // Written as a static method by those who come from Triton's Python backend.
    if (instance.autoComplete === undefined && "autoComplete" in main && typeof main.autoComplete === "function")
      instance.autoComplete = main.autoComplete.bind(main);
    return instance;
  } catch (error) {
    throw new NereidError("INVALID_ARGUMENT", `the script's class cannot be made: ${describeThrown(error, directory)}`);
  }
}

function isScript(value: unknown): value is Script {
  return typeof value === "object" && value !== null && "execute" in value && typeof value.execute === "function";
}
