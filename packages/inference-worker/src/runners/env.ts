/** What a runner gets of this process's environment: where libraries are and which GPUs it may see; no secrets. */
export function inheritedEnv(): Readonly<Record<string, string | undefined>> {
  const { PATH, LD_LIBRARY_PATH, CUDA_VISIBLE_DEVICES } = process.env;
  return { PATH, LD_LIBRARY_PATH, CUDA_VISIBLE_DEVICES };
}
