import { create, toBinary } from "@bufbuild/protobuf";
import { NereidError } from "@nereid/errors";
import {
  decodeLoadRequest,
  RepositoryIndexRequestSchema,
  RepositoryIndexResponseSchema,
  RepositoryModelLoadResponseSchema,
  RepositoryModelUnloadRequestSchema,
  RepositoryModelUnloadResponseSchema,
} from "@nereid/grpc";
import { loadWith, refuseUnlessExplicit, repositoryRows, unloadNamed } from "../../handlers/repository.ts";
import { type UnaryRpc, unary } from "../rpc.ts";

/** A load request carries whole models. */
const LOAD_REQUEST_LIMIT = 1 << 30;
const LOADED = toBinary(RepositoryModelLoadResponseSchema, create(RepositoryModelLoadResponseSchema));

const LOAD: UnaryRpc = {
  kind: "unary",
  name: "RepositoryModelLoad",
  category: "model-repository",
  managed: true,
  maxRequestBytes: LOAD_REQUEST_LIMIT,
  serve: async ({ server }, bytes) => {
    const { repositoryName, modelName, ...body } = decodeLoadRequest(bytes);
    refuseRepositoryName(repositoryName);
    await loadWith(server, modelName, body);
    return LOADED;
  },
};

/** Index, load and unload (grpc.md §6); with a management key they need it, as over HTTP. */
export const REPOSITORY_RPCS: readonly UnaryRpc[] = [
  unary({
    name: "RepositoryIndex",
    category: "model-repository",
    managed: true,
    request: RepositoryIndexRequestSchema,
    response: RepositoryIndexResponseSchema,
    serve: async ({ server }, { repositoryName, ready }) => {
      refuseRepositoryName(repositoryName);
      return { models: await repositoryRows(server, ready) };
    },
  }),
  LOAD,
  unary({
    name: "RepositoryModelUnload",
    category: "model-repository",
    managed: true,
    request: RepositoryModelUnloadRequestSchema,
    response: RepositoryModelUnloadResponseSchema,
    serve: async ({ server }, { repositoryName, modelName, parameters }) => {
      refuseRepositoryName(repositoryName);
      refuseUnlessExplicit(server);
      const dependents = parameters["unload_dependents"];
      if (dependents !== undefined && dependents.parameterChoice.case !== "boolParam") {
        throw new NereidError(
          "INVALID_ARGUMENT",
          "invalid value type for 'unload_dependents' parameter, expected bool_param.",
        );
      }
      await unloadNamed(server, modelName, dependents?.parameterChoice.value === true);
      return {};
    },
  }),
];

function refuseRepositoryName(name: string): void {
  if (name !== "") throw new NereidError("UNSUPPORTED", "'repository_name' specification is not supported");
}
