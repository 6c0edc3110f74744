export {
  type BytesTensorContext,
  checkBytesElements,
  countBytesElements,
  readBytesElements,
  writeBytesElements,
} from "./bytes-elements.ts";
export { BytesWalk } from "./bytes-walk.ts";
export { type ClassifyOptions, classify } from "./classification.ts";
export {
  type ContentEncoding,
  negotiateResponseEncoding,
  parseRequestEncoding,
  SUPPORTED_REQUEST_ENCODINGS,
} from "./content-encoding.ts";
export { byteSizeOf, DATATYPES, type Datatype, isDatatype } from "./datatype.ts";
export { decodeGenerateRequest, decodeGenerateRequestInSlices, type GenerateModel } from "./decode-generate-request.ts";
export { type DecodeInferOptions, decodeInferRequest, decodeInferRequestInSlices } from "./decode-infer-request.ts";
export { decodeInferResponse } from "./decode-infer-response.ts";
export { decodeRawBinaryRequest, type RawRequestModel } from "./decode-raw-request.ts";
export { encodeGenerateResponse, encodeGenerateResponseInSlices } from "./encode-generate-response.ts";
export { type EncodeRequestOptions, encodeInferRequest } from "./encode-infer-request.ts";
export {
  type EncodeResponseOptions,
  encodeInferResponse,
  encodeInferResponseInSlices,
  hasLargeJson,
} from "./encode-infer-response.ts";
export { parseHeaderLength } from "./header-length.ts";
export {
  type EncodedMessage,
  type InferInput,
  type InferRequest,
  type InferResponse,
  NO_CONTROLS,
  type OutputTensor,
  type ParameterValue,
  type RequestControls,
  type RequestedOutput,
  type SharedMemoryReference,
  type TensorData,
} from "./infer-types.ts";
export { errorBody, modelMetadataJson, repositoryIndexJson, serverMetadataJson } from "./json-bodies.ts";
export {
  DEFAULT_MAX_INPUT_SIZE,
  decompressedTooLargeText,
  isLargeJson,
  jsonInputTooLargeText,
  jsonTooLargeText,
  LARGE_JSON_ELEMENTS,
  MAX_CHUNKS,
  MAX_JSON_RESPONSE_BYTES,
  NOTHING_TO_DECOMPRESS_TEXT,
  rawInputTooLargeText,
  TOO_MANY_CHUNKS_TEXT,
} from "./limits.ts";
export { type LogSettingsBody, parseLogSettingsBody } from "./log-settings-body.ts";
export { matchRoute } from "./match-route.ts";
export type {
  ModelMetadata,
  RepositoryIndexEntry,
  RepositoryState,
  ServerMetadata,
  TensorMetadata,
} from "./metadata-types.ts";
export { type LoadBody, parseLoadBody, parseRepositoryIndexBody, parseUnloadBody } from "./repository-bodies.ts";
export { requestIdPrefix } from "./request-id.ts";
export type {
  ModelControlRoute,
  ModelRoute,
  ModelRouteKind,
  ModelTraceRoute,
  RestrictedCategory,
  Route,
  RouteMethod,
  ServerRoute,
  ServerRouteKind,
  SharedMemoryRoute,
} from "./route-types.ts";
export {
  type CudaSharedMemoryBody,
  parseCudaSharedMemoryBody,
  parseSystemSharedMemoryBody,
  type SharedMemoryStatus,
  type SystemSharedMemoryBody,
  sharedMemoryStatusJson,
} from "./shared-memory-bodies.ts";
export { inOneGo, inSlices, type Sliced } from "./slices.ts";
export { type DecodedValues, decodeTensorValues, encodeTensorValues, type TensorValues } from "./tensor-values.ts";
export { parseTraceSettingsBody } from "./trace-settings-body.ts";
