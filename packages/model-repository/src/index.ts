export { fingerprintOf } from "./fingerprint.ts";
export { LocalRepository, type LocalRepositoryOptions } from "./local-repository.ts";
export { assertModelName } from "./model-name.ts";
export { type Observation, type PollPlan, planPoll } from "./plan-poll.ts";
export type { ModelLocation, ModelSnapshot, VersionSnapshot } from "./snapshot.ts";
