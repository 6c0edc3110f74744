/** The V2 protocol over gRPC: messages, a codec for inference that copies no tensors, framing and statuses. No sockets. */

export { type FramedMessage, FrameParser, type FrameParserOptions, tooLarge } from "./framing/frame-parser.ts";
export { DEFAULT_MAX_MESSAGE, frameHeader, PREFIX_BYTES } from "./framing/frame-prefix.ts";
export * from "./gen/grpc_service_pb.ts";
export * from "./gen/health_pb.ts";
export * as reflectionV1 from "./gen/reflection_pb.ts";
export * as reflectionV1alpha from "./gen/reflection_v1alpha_pb.ts";
export { decodeInferMessage } from "./infer/decode-infer-message.ts";
export {
  decodeInferMessageResponse,
  decodeStreamResponse,
  type StreamResponse,
} from "./infer/decode-infer-response.ts";
export { encodeInferMessage, type InferRequestTarget } from "./infer/encode-infer-request.ts";
export {
  type EncodedFrame,
  encodeFrame,
  encodeInferResponse,
  encodeStreamFailure,
  encodeStreamResponse,
  type StreamFailure,
} from "./infer/encode-infer-response.ts";
export type { InferMessage } from "./infer/infer-message.ts";
export { parseModelVersion } from "./infer/model-version.ts";
export { type InferHead, peekInferHead } from "./infer/peek-infer-head.ts";
export {
  type GrpcInferRequest,
  hasLargeContents,
  toInferRequest,
  toInferRequestInSlices,
} from "./infer/to-infer-request.ts";
export { decodeLoadRequest, type LoadRequest } from "./service/decode-load-request.ts";
export { decodeMessage } from "./service/decode-message.ts";
export { ReflectionIndex } from "./service/reflection-index.ts";
export { decodeGrpcMessage, encodeGrpcMessage } from "./status/grpc-message.ts";
export { formatGrpcTimeout, parseGrpcTimeout } from "./status/grpc-timeout.ts";
export { encodeRetryInfo } from "./status/retry-info.ts";
