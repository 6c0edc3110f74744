import type { Json, LabIo, LabTask } from "@nereid/services/lab-task";

/** Does a task of one kind: answers its result, or what there is of it once the signal is aborted. */
export type LabTaskRunner = (task: LabTask, io: LabIo) => Promise<Json>;
