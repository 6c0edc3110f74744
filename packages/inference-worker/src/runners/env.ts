const NAMES = [
  "PATH",
  "LD_LIBRARY_PATH",
  "CUDA_VISIBLE_DEVICES",
  "VK_ICD_FILENAMES",
  "VK_DRIVER_FILES",
  "XDG_RUNTIME_DIR",
] as const;

/** What a runner gets of this process's environment: where libraries and drivers are and which GPUs it may see; no secrets. */
export function inheritedEnv(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
}
