/** What runners written beside this one share with it: framing, messages, and the serving of single requests. */
export { FrameReader, writeFrame } from "../runner-protocol/frame.ts";
export type {
  ControlReply,
  ControlRequest,
  InstanceReply,
  InstanceRequest,
  LoadedModel,
  ModelTensor,
} from "../runner-protocol/messages.ts";
export { RUNNER_PROTOCOL } from "../runner-protocol/messages.ts";
export { dieWithParent, limitPrivateMemory } from "../shm/libc.ts";
export type { ModelSignature } from "./instance-service.ts";
export { CallClient } from "./script/call-client.ts";
export type { RequestsModel } from "./script/requests-model.ts";
export { RequestsServer } from "./script/requests-server.ts";
export type { ScriptRequest } from "./script/script-request.ts";
export type { ScriptTensor } from "./script/script-tensor.ts";
