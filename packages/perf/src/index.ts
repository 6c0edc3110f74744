export { type ClosedLoopPlan, type LoadResult, runClosedLoop } from "./load/closed-loop.ts";
export { type HttpAnswer, HttpConnection, postRequest } from "./load/http-connection.ts";
export { floatRequest } from "./load/infer-request.ts";
