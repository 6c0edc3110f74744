export { ERROR_CODES, type ErrorCode } from "./error-code.ts";
export { NereidError, type NereidErrorOptions } from "./nereid-error.ts";
export { statusText } from "./status-text.ts";
export { fromGrpcCode, GRPC_CODES, type GrpcCodeName, grpcCodeName, toGrpcCode } from "./to-grpc.ts";
export { toHttpStatus } from "./to-http.ts";
export { type TrpcCode, toTrpcCode } from "./to-trpc.ts";
