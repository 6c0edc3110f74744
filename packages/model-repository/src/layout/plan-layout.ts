import { NereidError } from "@nereid/errors";
import { checkEntryPath, isPackerLitter } from "../archive/check-entry-path.ts";
import { sanitizeModelName } from "./sanitize-model-name.ts";

const CONFIG = "config.pbtxt";
const DEFAULT_FILE = "model.onnx";
const LISTED = 5;

export interface LayoutOptions {
  /** Name of the archive, or of the only file; the model is called after it when nothing else names it. */
  readonly uploadName: string;
  /** Wanted name and version; null leaves them to the upload. */
  readonly model: string | null;
  readonly version: string | null;
  /** What the uploaded configuration says, where it says it. */
  readonly configName?: string;
  readonly modelFilename?: string;
}

export interface Layout {
  readonly model: string;
  /** Version the upload names by its directory; null when it names none. */
  readonly version: string | null;
  /** Path of the uploaded configuration; null when there is none. */
  readonly config: string | null;
  /** Files of the version: from the upload, to a path below the version directory. */
  readonly versionFiles: readonly { readonly from: string; readonly to: string }[];
  /** Label files and the like: from the upload, to a path below the model directory. */
  readonly modelFiles: readonly { readonly from: string; readonly to: string }[];
  /** Path below the version directory of the ONNX file. */
  readonly modelFile: string;
}

/**
 * Finds the model in a list of uploaded paths: `x.onnx`, a version directory, a model directory with or without versions, or
 * any of these inside further directories. INVALID_ARGUMENT, with what to upload instead, when there is none, when there are
 * several, or when the version is open. Pure.
 */
export function planLayout(paths: readonly string[], options: LayoutOptions): Layout {
  const useful = paths.filter((path) => !isPackerLitter(path));
  if (useful.length === 0)
    throw refuse("the upload has no files", "upload an .onnx file, a model directory or an archive of one");
  const { root, name } = findModelDirectory(useful);
  const inside = useful.map((path) => ({ path, below: path.slice(root.length) }));
  const model = options.model ?? modelName(name, options);
  const config = inside.find(({ below }) => below === CONFIG)?.path ?? null;
  const versions = [...new Set(inside.flatMap(({ below }) => /^([0-9]+)\//.exec(below)?.[1] ?? []))];
  const rest = inside.filter(({ below }) => below !== CONFIG);
  if (versions.length === 0) return { model, version: null, config, ...flat(rest, options) };
  const directory = chooseVersion(versions, options.version);
  return { model, version: BigInt(directory).toString(), config, ...versioned(rest, directory, options) };
}

interface Placed {
  readonly path: string;
  /** Path below the model directory. */
  readonly below: string;
}

/** Enters directories that hold nothing but one directory. */
function findModelDirectory(paths: readonly string[]): { root: string; name: string | undefined } {
  let root = "";
  let name: string | undefined;
  for (;;) {
    const entries = new Set(paths.map((path) => path.slice(root.length).split("/", 1)[0] ?? ""));
    const [only] = entries;
    const hasFiles = paths.some((path) => !path.slice(root.length).includes("/"));
    if (hasFiles || [...entries].some(isVersion)) return { root, name };
    if (entries.size > 1 || only === undefined) throw severalModels([...entries]);
    root += `${only}/`;
    name = only;
  }
}

function severalModels(names: readonly string[]): NereidError {
  return refuse(
    `the upload holds several directories that may be models: ${list(names)}`,
    "upload one model at a time, as <model>/<version>/model.onnx",
  );
}

function isVersion(name: string): boolean {
  return /^[0-9]+$/.test(name);
}

function modelName(directory: string | undefined, options: LayoutOptions): string {
  if (options.configName !== undefined && options.configName !== "") return options.configName;
  return sanitizeModelName(directory ?? options.uploadName);
}

function chooseVersion(versions: readonly string[], wanted: string | null): string {
  const [only] = versions;
  if (versions.length === 1 && only !== undefined) return only;
  const match = versions.find((version) => version === wanted);
  if (match !== undefined) return match;
  throw refuse(
    `the upload holds the versions ${list(versions)}`,
    "choose one of them as the version of this draft, or upload one version at a time",
  );
}

/** A model directory with its version directory. */
function versioned(files: readonly Placed[], version: string, options: LayoutOptions): Placing {
  const versionFiles: { from: string; to: string }[] = [];
  const modelFiles: { from: string; to: string }[] = [];
  for (const { path, below } of files) {
    if (below.startsWith(`${version}/`)) versionFiles.push({ from: path, to: below.slice(version.length + 1) });
    else if (/\.onnx$/i.test(below) && !below.includes("/"))
      throw refuse(
        `'${path}' lies beside the version directory '${version}'`,
        `move it into '${version}' or remove it`,
      );
    else if (!/^[0-9]+\//.test(below)) modelFiles.push({ from: path, to: below });
  }
  return { ...nameModelFile(versionFiles, options), modelFiles };
}

/** Files without a version directory: label files go beside the configuration, everything else into the version. */
function flat(files: readonly Placed[], options: LayoutOptions): Placing {
  const isBeside = ({ below }: Placed) => !below.includes("/") && /\.(txt|csv|labels|names|md|pbtxt)$/i.test(below);
  const modelFiles = files.filter(isBeside).map(({ path, below }) => ({ from: path, to: below }));
  const versionFiles = files.filter((file) => !isBeside(file)).map(({ path, below }) => ({ from: path, to: below }));
  return { ...nameModelFile(versionFiles, options), modelFiles };
}

type Placing = Pick<Layout, "versionFiles" | "modelFiles" | "modelFile">;

/** Gives the ONNX file the name that the server looks for; files of external data keep theirs. */
function nameModelFile(
  files: readonly { from: string; to: string }[],
  options: LayoutOptions,
): Pick<Layout, "versionFiles" | "modelFile"> {
  const wanted =
    options.modelFilename === undefined || options.modelFilename === ""
      ? DEFAULT_FILE
      : // The uploaded configuration is as little to be trusted as the names in an archive.
        checkEntryPath(options.modelFilename);
  if (files.some(({ to }) => to === wanted)) return { versionFiles: files, modelFile: wanted };
  const candidates = files.filter(({ to }) => /\.onnx$/i.test(to));
  const [only] = candidates;
  if (only === undefined) throw noModel(files);
  if (candidates.length > 1) {
    throw refuse(
      `the upload holds several ONNX files: ${list(candidates.map(({ from }) => from))}`,
      `upload one of them, or name the one to serve ${wanted}`,
    );
  }
  if (only.to.includes("/")) {
    const directory = only.from.slice(0, only.from.lastIndexOf("/"));
    throw refuse(`the ONNX file lies in the sub-directory '${directory}'`, "upload that directory itself");
  }
  const renamed = files.map((file) => (file === only ? { from: file.from, to: wanted } : file));
  return { versionFiles: renamed, modelFile: wanted };
}

function noModel(files: readonly { from: string }[]): NereidError {
  const found = files.length === 0 ? "" : `; it holds ${list(files.map(({ from }) => from))}`;
  return refuse(`the upload has no ONNX file${found}`, "export the model to ONNX and upload the .onnx file");
}

function list(names: readonly string[]): string {
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : "";
  return `${names
    .slice(0, LISTED)
    .map((name) => `'${name}'`)
    .join(", ")}${more}`;
}

function refuse(problem: string, fix: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `${problem}; ${fix}`, { fix });
}
