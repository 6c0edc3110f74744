import { create, type MessageInitShape, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { GRPC_CODES } from "@nereid/errors";
import { decodeMessage, encodeFrame, type ReflectionIndex, reflectionV1, reflectionV1alpha } from "@nereid/grpc";
import { OK, statusOf } from "./grpc-status.ts";
import { MessageReader } from "./read-messages.ts";
import type { RawRpc } from "./rpc.ts";

const MOST_BYTES = 64 * 1024;

type Request = MessageShape<typeof reflectionV1.ServerReflectionRequestSchema>;
type Response = MessageInitShape<typeof reflectionV1.ServerReflectionResponseSchema>;

/** Server reflection: describes the services to tools such as grpcurl. Both versions have the same messages under other names. */
export function reflectionRpc(index: ReflectionIndex, version: "v1" | "v1alpha"): RawRpc {
  const schemas = version === "v1" ? reflectionV1 : reflectionV1alpha;
  return {
    kind: "raw",
    name: "ServerReflectionInfo",
    category: undefined,
    managed: false,
    serve: ({ bodies }, call) => {
      const reader = new MessageReader(call, {
        bodies,
        maxMessageBytes: MOST_BYTES,
        encoding: undefined,
        onMessage: ({ bytes, release }) => {
          try {
            // The types differ in name only.
            const request = decodeMessage(schemas.ServerReflectionRequestSchema, bytes) as unknown as Request;
            const schema = reflectionV1.ServerReflectionResponseSchema;
            const response = toBinary(schema, create(schema, reflect(index, request)));
            call.send(encodeFrame(response), () => undefined);
          } catch (error) {
            call.finish(statusOf(error));
          } finally {
            release();
          }
          if (call.open && call.stream.writableNeedDrain) call.stream.once("drain", reader.hold());
          return undefined;
        },
        onEnd: () => call.finish(OK),
        onError: (error) => call.finish(statusOf(error)),
      });
    },
  };
}

/** The answer to one reflection request. */
export function reflect(index: ReflectionIndex, request: Request): Response {
  return { validHost: request.host, originalRequest: request, messageResponse: answer(index, request) };
}

function answer(index: ReflectionIndex, { messageRequest: asked }: Request): NonNullable<Response["messageResponse"]> {
  switch (asked.case) {
    case "listServices":
      return { case: "listServicesResponse", value: { service: index.services.map((name) => ({ name })) } };
    case "fileByFilename":
      return files(index.fileByName(asked.value), asked.value);
    case "fileContainingSymbol":
      return files(index.fileBySymbol(asked.value), asked.value);
    case "allExtensionNumbersOfType":
      return index.hasMessage(asked.value)
        ? { case: "allExtensionNumbersResponse", value: { baseTypeName: asked.value, extensionNumber: [] } }
        : notFound(asked.value);
    case "fileContainingExtension":
      return notFound(`extension ${asked.value.extensionNumber} of ${asked.value.containingType}`);
    default:
      return {
        case: "errorResponse",
        value: { errorCode: GRPC_CODES.INVALID_ARGUMENT, errorMessage: "the request asks for nothing" },
      };
  }
}

function files(found: readonly Uint8Array[] | undefined, what: string): NonNullable<Response["messageResponse"]> {
  return found === undefined
    ? notFound(what)
    : { case: "fileDescriptorResponse", value: { fileDescriptorProto: [...found] } };
}

function notFound(what: string): NonNullable<Response["messageResponse"]> {
  return { case: "errorResponse", value: { errorCode: GRPC_CODES.NOT_FOUND, errorMessage: `not found: ${what}` } };
}
