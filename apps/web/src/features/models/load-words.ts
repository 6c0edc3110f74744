import type { LoadInProgress, LoadStage, ModelStatus } from "@nereid/client";

const STAGES: Readonly<Record<LoadStage, string>> = {
  queued: "waiting for its turn",
  reading: "reading the configuration",
  memory: "waiting for memory",
  starting: "starting a process",
  loading: "reading the model",
  instances: "starting instances",
  "warm-up": "warm-up",
};

/** How far the loads in progress are, such as "Loading: warm-up, 3 s"; null when there is none. Pure. */
export function loadText(loading: readonly LoadInProgress[]): string | null {
  if (loading.length === 0) return null;
  const seconds = Math.floor(Math.max(...loading.map(({ elapsedMs }) => elapsedMs)) / 1000);
  const stages = [...new Set(loading.map(({ stage }) => stage))].map((stage) => {
    const versions = loading.filter((one) => one.stage === stage && one.version !== "").map(({ version }) => version);
    const named = loading.length > 1 && versions.length > 0;
    return named ? `version ${versions.join(", ")} ${STAGES[stage]}` : STAGES[stage];
  });
  return `Loading: ${stages.join("; ")}, ${ageText(seconds)}`;
}

/** `3 s`, `2 min 5 s`, `1 h 2 min`. */
function ageText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Whether a load of the model is in progress or waits. */
export function isBeingLoaded({ loading = [] }: Pick<ModelStatus, "loading">): boolean {
  return loading.length > 0;
}

const REFRESH_MS = 3_000;
/** While a load is in progress its seconds are shown. */
export const LOADING_REFRESH_MS = 1_000;

/** How often to ask for models again, milliseconds. */
export function refreshInterval(models: readonly Pick<ModelStatus, "loading">[]): number {
  return models.some(isBeingLoaded) ? LOADING_REFRESH_MS : REFRESH_MS;
}
