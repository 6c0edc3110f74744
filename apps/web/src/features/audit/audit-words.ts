const ACTIONS: Readonly<Record<string, string>> = {
  "model.load": "Loaded model",
  "model.unload": "Unloaded model",
  "model.delete": "Deleted model",
  "version.load": "Loaded version",
  "version.unload": "Unloaded version",
  "version.pin": "Chose versions",
  "traffic.divide": "Divided traffic",
  "shadow.start": "Began shadow traffic",
  "shadow.stop": "Ended shadow traffic",
  "model.cancel": "Cancelled load",
  "model.profile": "Profiled",
  "instance.drain": "Drained an instance",
  "instance.resume": "Resumed an instance",
  "instance.restart": "Restarted an instance",
  "rollout.start": "Began a rollout",
  "rollout.operate": "Operated a rollout",
  "rollout.advance": "Rollout went on",
  "rollout.promoted": "Rollout promoted",
  "rollout.back": "Rollout sent back",
  "rollout.ended": "Rollout ended without the candidate",
  "rollout.pause": "Paused a rollout",
  "rollout.resume": "Resumed a rollout",
  "rollout.promote": "Let a rollout go on",
  "rollout.promote-fully": "Promoted a rollout fully",
  "rollout.give-up": "Gave a rollout up where it was",
  "rollout.abort": "Aborted a rollout",
  "rollout.retry": "Tried a rollout again",
  "load-test.start": "Began a load test",
  "load-test.cancel": "Stopped a load test",
  "load-test.note": "Wrote about a load test",
  "tuning.start": "Began a tuning",
  "tuning.cancel": "Stopped a tuning",
  "tuning.note": "Wrote about a tuning",
  "experiment.start": "Began an experiment",
  "experiment.cancel": "Stopped an experiment",
  "experiment.decide": "Decided an experiment",
  "experiment.note": "Wrote about an experiment",
  "lab.cancel": "Stopped a job of the lab",
  "lab.note": "Wrote about a job of the lab",
  "version.rollback": "Rolled back",
  "version.delete": "Deleted version",
  "version.download": "Downloaded version",
  "config.apply": "Changed configuration",
  "config.restore": "Restored configuration",
  "draft.open": "Began deployment",
  "draft.edit": "Changed deployment",
  "draft.check": "Checked deployment",
  "alert.acknowledge": "Acknowledged an alert",
  "alert.unacknowledge": "Took an acknowledgement back",
  "channel.create": "Added a receiver of alerts",
  "channel.change": "Changed a receiver of alerts",
  "channel.remove": "Removed a receiver of alerts",
  "channel.test": "Tested a receiver of alerts",
  "fixture.remove": "Deleted a fixture",
  "fixture.save": "Kept a fixture",
  "model.try": "Sent requests from the playground",
  "settings.retention": "Changed how long measurements are kept",
  "slo.create": "Set an objective",
  "slo.change": "Changed an objective",
  "slo.remove": "Removed an objective",
  "diagnosis.keep": "Kept a diagnosis",
  "draft.publish": "Published",
  "draft.discard": "Discarded deployment",
  "session.create": "Sign-in",
  "session.revoke": "Ended session",
  "user.create": "Created user",
  "user.role": "Changed role",
  "user.disable": "Disabled user",
  "user.enable": "Enabled user",
  "user.password": "Chose password",
  "user.reset": "Made password link",
  "user.uninvite": "Revoked link",
  "key.use": "Refused key",
  "audit.export": "Exported audit log",
  "user.invite": "Invited user",
  "user.accept": "Accepted invitation",
  "key.create": "Made key",
  "key.revoke": "Revoked key",
  "node.add": "Added node",
  "node.edit": "Changed node",
  "node.remove": "Removed node",
  "node.test": "Tested a server",
  "node.cordon": "Cordoned node",
  "node.uncordon": "Uncordoned node",
  "node.drain": "Drained node",
  "node.undrain": "Put node back into service",
};

/** What an action did, in words; unknown ones as they are. */
export function actionText(action: string): string {
  return ACTIONS[action] ?? action;
}

/** A value for one line; of a digest only what one compares by eye. */
function shortText(value: unknown): string {
  if (Array.isArray(value)) return value.map(shortText).join(", ");
  const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
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
    .filter(([key, value]) => old[key] !== value && !(value === null && old[key] === undefined))
    .map(([key, value]) =>
      old[key] === undefined ? `${key}: ${shortText(value)}` : `${key}: ${shortText(old[key])} → ${shortText(value)}`,
    )
    .join(", ");
}
