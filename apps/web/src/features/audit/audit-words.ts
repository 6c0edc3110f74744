const ACTIONS: Readonly<Record<string, string>> = {
  "model.load": "Loaded model",
  "model.unload": "Unloaded model",
  "session.create": "Sign-in",
  "user.create": "Created user",
};

/** What an action did, in words; unknown ones as they are. */
export function actionText(action: string): string {
  return ACTIONS[action] ?? action;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What changed, as one line: "1: UNAVAILABLE → READY". For a failure, what went wrong. */
export function changeText(before: unknown, after: unknown): string {
  if (!isRecord(after)) return "";
  if (typeof after["error"] === "string") return after["error"];
  const old = isRecord(before) ? before : {};
  return Object.entries(after)
    .filter(([key, value]) => old[key] !== value)
    .map(([key, value]) =>
      old[key] === undefined ? `${key}: ${String(value)}` : `${key}: ${String(old[key])} → ${String(value)}`,
    )
    .join(", ");
}
