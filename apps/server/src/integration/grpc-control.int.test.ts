import { readFileSync } from "node:fs";
import { join } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { status } from "@grpc/grpc-js";
import {
  GRPCInferenceService,
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatus,
  HealthCheckResponseSchema,
  ModelInferRequestSchema,
  reflectionV1,
  reflectionV1alpha,
} from "@nereid/grpc";
import { offsetModel } from "@nereid/model-authoring";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureOf, GrpcJsClient } from "../testing/grpc-js-client.ts";
import { floatRequest, floatsOf, type InferInit } from "../testing/grpc-requests.ts";
import { framed, RawGrpc } from "../testing/raw-grpc.ts";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
let client: GrpcJsClient;
beforeAll(async () => {
  server = await startTestServer({ models: [offset("a", 1), offset("b", 2)] });
  client = new GrpcJsClient(server.grpcAddress);
});
afterAll(async () => {
  client.close();
  await server.dispose();
});

const infer = (request: InferInit) => client.call("modelInfer", request);
const text = (value: string) => ({ parameterChoice: { case: "stringParam" as const, value } });
const bytes = (value: Uint8Array<ArrayBuffer>) => ({ parameterChoice: { case: "bytesParam" as const, value } });
const bool = (value: boolean) => ({ parameterChoice: { case: "boolParam" as const, value } });

describe("what a server and its models are", () => {
  it("is the same over both protocols", async () => {
    const metadata = await client.call("serverMetadata", {});
    const http = JSON.parse((await server.api.call("/v2")).text);
    expect([metadata.name, metadata.version, metadata.extensions]).toEqual([http.name, http.version, http.extensions]);
    expect((await client.call("serverLive", {})).live).toBe(true);
    expect((await client.call("serverReady", {})).ready).toBe(true);
    expect((await client.call("modelReady", { name: "a", version: "1" })).ready).toBe(true);
    const model = await client.call("modelMetadata", { name: "a" });
    expect([model.name, model.versions, model.platform]).toEqual(["a", ["1"], "onnxruntime_onnx"]);
    expect(model.inputs.map(({ name, datatype, shape }) => [name, datatype, shape])).toEqual([
      ["QUESTION", "FP32", [-1n, -1n]],
    ]);
    const { config } = await client.call("modelConfig", { name: "a" });
    expect([config?.name, config?.backend, config?.maxBatchSize]).toEqual(["a", "onnxruntime", 32]);
  });

  it("statistics count what was inferred, of one model or of all", async () => {
    const count = async () =>
      Number((await client.call("modelStatistics", { name: "b" })).modelStats[0]?.inferenceStats?.success?.count);
    const before = await count();
    await infer(floatRequest("b", [[1]]));
    expect((await count()) - before).toBe(1);
    const { modelStats } = await client.call("modelStatistics", {});
    expect(modelStats.map(({ name, version }) => `${name} ${version}`)).toEqual(["a 1", "b 1"]);
  });

  it.each([
    ["modelMetadata", status.NOT_FOUND, "Request for unknown model: 'x' is not found"],
    ["modelReady", status.NOT_FOUND, "Request for unknown model: 'x' is not found"],
    ["modelConfig", status.NOT_FOUND, "Request for unknown model: 'x' is not found"],
    ["modelStatistics", status.INVALID_ARGUMENT, "requested model 'x' is not available"],
  ] as const)("%s of an unknown model is refused as over HTTP", async (rpc, code, details) => {
    expect(await failureOf(client.call(rpc, { name: "x" }))).toEqual([code, details]);
  });

  it.each(["modelMetadata", "modelReady", "modelConfig", "modelStatistics"] as const)(
    "%s of a version that is no number is INVALID_ARGUMENT",
    async (rpc) => {
      expect((await failureOf(client.call(rpc, { name: "a", version: "latest" })))[0]).toBe(status.INVALID_ARGUMENT);
    },
  );
});

describe("the model repository", () => {
  it("is listed, and models come and go", async () => {
    await client.call("repositoryModelUnload", { modelName: "b", parameters: { unload_dependents: bool(true) } });
    const models = await waitUntil("it is unloaded", async () => {
      const index = await client.call("repositoryIndex", {});
      return index.models.some(({ state }) => state === "UNLOADING") ? undefined : index.models;
    });
    expect(models.map(({ name, version, state, reason }) => [name, version, state, reason])).toEqual([
      ["a", "1", "READY", ""],
      ["b", "1", "UNAVAILABLE", "unloaded"],
    ]);
    expect((await client.call("repositoryIndex", { ready: true })).models.map(({ name }) => name)).toEqual(["a"]);
    await client.call("repositoryModelLoad", { modelName: "b" });
    expect((await client.call("modelReady", { name: "b" })).ready).toBe(true);
  });

  it("loads files and a configuration from the request, as raw bytes", async () => {
    await client.call("repositoryModelLoad", {
      modelName: "a",
      parameters: {
        config: text('{"backend":"onnxruntime","max_batch_size":8}'),
        "file:7/model.onnx": bytes(Uint8Array.from(offsetModel(100))),
      },
    });
    const answer = await infer(floatRequest("a", [[1]]));
    expect([answer.modelVersion, floatsOf(answer.rawOutputContents[0])]).toEqual(["7", [101]]);
    await client.call("repositoryModelLoad", { modelName: "a" });
    expect(floatsOf((await infer(floatRequest("a", [[1]]))).rawOutputContents[0])).toEqual([2]);
  });

  it.each([
    [
      "a repository name",
      { repositoryName: "r", modelName: "a" },
      status.UNIMPLEMENTED,
      "'repository_name' specification is not supported",
    ],
    [
      "a configuration that is no text",
      { modelName: "a", parameters: { config: bool(true) } },
      status.INVALID_ARGUMENT,
      "invalid value type for load parameter 'config', expected string_param.",
    ],
    [
      "a file that is a text",
      { modelName: "a", parameters: { "file:1/model.onnx": text("AAAA") } },
      status.INVALID_ARGUMENT,
      "invalid value type for load parameter 'file:1/model.onnx', expected bytes_param.",
    ],
    [
      "an unknown parameter",
      { modelName: "a", parameters: { other: text("x") } },
      status.INVALID_ARGUMENT,
      "unrecognized load parameter 'other'.",
    ],
    [
      "an unknown model",
      { modelName: "x" },
      status.INTERNAL,
      "failed to load 'x', failed to poll from model repository",
    ],
  ])("refuses to load with %s", async (_what, request, code, details) => {
    const [gotCode, gotDetails] = await failureOf(client.call("repositoryModelLoad", request));
    expect([gotCode, gotDetails.slice(0, details.length)]).toEqual([code, details]);
  });

  it("refuses to unload with a flag of the wrong type, and to list or unload in a named repository", async () => {
    const wrong = client.call("repositoryModelUnload", {
      modelName: "a",
      parameters: { unload_dependents: text("yes") },
    });
    expect(await failureOf(wrong)).toEqual([
      status.INVALID_ARGUMENT,
      "invalid value type for 'unload_dependents' parameter, expected bool_param.",
    ]);
    const unload = client.call("repositoryModelUnload", { repositoryName: "r", modelName: "a" });
    expect((await failureOf(unload))[0]).toBe(status.UNIMPLEMENTED);
    expect((await failureOf(client.call("repositoryIndex", { repositoryName: "r" })))[0]).toBe(status.UNIMPLEMENTED);
  });
});

describe("settings", () => {
  it("of the log are read and changed, and wrong ones are refused", async () => {
    const { settings } = await client.call("logSettings", {
      settings: {
        log_verbose_level: { parameterChoice: { case: "uint32Param", value: 2 } },
        log_format: text("ISO8601"),
      },
    });
    expect(Object.keys(settings).sort()).toEqual([
      "log_error",
      "log_file",
      "log_format",
      "log_info",
      "log_verbose_level",
      "log_warning",
    ]);
    expect(settings["log_verbose_level"]?.parameterChoice).toMatchObject({ case: "uint32Param", value: 2 });
    expect(settings["log_format"]?.parameterChoice).toMatchObject({ case: "stringParam", value: "ISO8601" });
    const refusals = [
      [{ log_info: text("true") }, status.INVALID_ARGUMENT, "expect boolean for 'log_info'"],
      [{ log_verbose_level: bool(true) }, status.INVALID_ARGUMENT, "expect int32 for 'log_verbose_level'"],
      [{ log_format: text("xml") }, status.INVALID_ARGUMENT, "invalid argument for log_format, got: xml"],
      [{ log_file: text("x") }, status.UNIMPLEMENTED, "log file location can not be updated through network protocol"],
    ] as const;
    for (const [changes, code, details] of refusals)
      expect(await failureOf(client.call("logSettings", { settings: changes }))).toEqual([code, details]);
    await client.call("logSettings", {
      settings: {
        log_verbose_level: { parameterChoice: { case: "uint32Param", value: 0 } },
        log_format: text("default"),
      },
    });
  });

  it("of traces are read and changed, and wrong ones are refused", async () => {
    const { settings } = await client.call("traceSetting", { settings: { trace_rate: { value: ["9"] } } });
    expect(settings["trace_rate"]?.value).toEqual(["9"]);
    expect(settings["trace_level"]?.value).toEqual(["OFF"]);
    const cleared = await client.call("traceSetting", { settings: { trace_rate: { value: [] } } });
    expect(cleared.settings["trace_rate"]?.value).toEqual(["1000"]);
    const two = client.call("traceSetting", { settings: { trace_rate: { value: ["1", "2"] } } });
    expect(await failureOf(two)).toEqual([status.INVALID_ARGUMENT, "expect only 1 value for 'trace_rate'"]);
    const place = client.call("traceSetting", { settings: { trace_file: { value: ["x"] } } });
    expect(await failureOf(place)).toEqual([
      status.UNIMPLEMENTED,
      "trace file location can not be updated through network protocol",
    ]);
  });

  it("of shared memory: nothing is registered, and nothing may be", async () => {
    expect((await client.call("systemSharedMemoryStatus", {})).regions).toEqual({});
    expect((await client.call("cudaSharedMemoryStatus", {})).regions).toEqual({});
    const disabled = [
      status.UNIMPLEMENTED,
      "Client shared memory is disabled. Start the server with '--allow-client-shm=true' to enable.",
    ];
    expect(await failureOf(client.call("systemSharedMemoryRegister", { name: "r", key: "/r", byteSize: 8n }))).toEqual(
      disabled,
    );
    expect(await failureOf(client.call("cudaSharedMemoryRegister", { name: "r", byteSize: 8n }))).toEqual(disabled);
    expect(await failureOf(client.call("systemSharedMemoryUnregister", {}))).toEqual(disabled);
    expect(await failureOf(client.call("cudaSharedMemoryUnregister", {}))).toEqual(disabled);
    expect((await failureOf(client.call("systemSharedMemoryStatus", { name: "r" })))[0]).toBe(status.NOT_FOUND);
  });
});

describe("the standard services", () => {
  it("health answers for the server, whatever service is named", async () => {
    const { status: health } = await client.unary("/grpc.health.v1.Health/Check", {
      input: HealthCheckRequestSchema,
      output: HealthCheckResponseSchema,
      request: { service: "inference.GRPCInferenceService" },
    });
    expect(health).toBe(HealthCheckResponse_ServingStatus.SERVING);
    const watch = client.unary("/grpc.health.v1.Health/Watch", {
      input: HealthCheckRequestSchema,
      output: HealthCheckResponseSchema,
      request: {},
    });
    expect((await failureOf(watch))[0]).toBe(status.UNIMPLEMENTED);
  });

  it.each([
    ["v1", reflectionV1],
    ["v1alpha", reflectionV1alpha],
  ] as const)("reflection %s lists the services and gives their descriptors", async (version, schemas) => {
    const stream = client.bidi(`/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`, {
      input: schemas.ServerReflectionRequestSchema,
      output: schemas.ServerReflectionResponseSchema,
    });
    const answers: { messageResponse: { case?: string | undefined; value?: unknown } }[] = [];
    stream.on("data", (answer) => answers.push(answer));
    const asked = [
      { case: "listServices", value: "" },
      { case: "fileContainingSymbol", value: GRPCInferenceService.typeName },
      { case: "fileContainingSymbol", value: "inference.ModelInferRequest.InferInputTensor" },
      { case: "fileByFilename", value: "health.proto" },
      { case: "fileContainingSymbol", value: "inference.Nothing" },
      { case: "allExtensionNumbersOfType", value: "inference.ModelInferRequest" },
    ] as const;
    for (const messageRequest of asked) {
      stream.write({ $typeName: schemas.ServerReflectionRequestSchema.typeName, host: "", messageRequest } as never);
    }
    stream.end();
    await new Promise<void>((resolve) => stream.on("end", () => resolve()));
    const files = (index: number) => {
      const value = answers[index]?.messageResponse.value as { fileDescriptorProto?: Uint8Array[] };
      return (value.fileDescriptorProto ?? []).map((file) => fromBinary(FileDescriptorProtoSchema, file).name);
    };
    const list = answers[0]?.messageResponse.value as { service: { name: string }[] };
    expect(list.service.map(({ name }) => name)).toEqual([
      "inference.GRPCInferenceService",
      "grpc.health.v1.Health",
      "grpc.reflection.v1.ServerReflection",
      "grpc.reflection.v1alpha.ServerReflection",
    ]);
    expect(files(1)).toEqual(["grpc_service.proto", "model_config.proto"]);
    expect(files(2)).toEqual(files(1));
    expect(files(3)).toEqual(["health.proto"]);
    expect(answers[4]?.messageResponse).toMatchObject({
      case: "errorResponse",
      value: { errorCode: status.NOT_FOUND },
    });
    expect(answers[5]?.messageResponse.case).toBe("allExtensionNumbersResponse");
  });
});

describe("who may call", () => {
  it("with a management key the repository calls need it, and no others", async () => {
    const own = await startTestServer({
      models: [offset("a", 1)],
      args: ["--grpc-address=0.0.0.0", "--management-key=open sesame"],
    });
    const other = new GrpcJsClient(own.grpcAddress);
    try {
      for (const authorization of [undefined, "Bearer wrong", "Basic open sesame", "Bearer open sesame2"]) {
        const metadata: Record<string, string> = authorization === undefined ? {} : { authorization };
        const calls = [
          other.call("repositoryIndex", {}, { metadata }),
          other.call("repositoryModelLoad", { modelName: "a" }, { metadata }),
          other.call("repositoryModelUnload", { modelName: "a" }, { metadata }),
        ];
        for (const call of calls) expect((await failureOf(call))[0]).toBe(status.UNAUTHENTICATED);
      }
      const metadata = { authorization: "Bearer open sesame" };
      expect((await other.call("repositoryIndex", {}, { metadata })).models).toHaveLength(1);
      expect(floatsOf((await other.call("modelInfer", floatRequest("a", [[1]]))).rawOutputContents[0])).toEqual([2]);
      expect((await other.call("serverReady", {})).ready).toBe(true);
    } finally {
      other.close();
      await own.dispose();
    }
  });

  it("restricted protocols need their metadata, the stream as a whole", async () => {
    const own = await startTestServer({
      models: [offset("a", 1)],
      args: ["--grpc-restricted-protocol=inference,health:admin-key=42", "--grpc-restricted-protocol=logging:log=x"],
    });
    const other = new GrpcJsClient(own.grpcAddress);
    try {
      const refused = [
        status.UNAVAILABLE,
        "This protocol is restricted, expecting header 'triton-grpc-protocol-admin-key'",
      ];
      const request = floatRequest("a", [[1]]);
      const metadata = { "triton-grpc-protocol-admin-key": "42" };
      expect(await failureOf(other.call("modelInfer", request))).toEqual(refused);
      expect(await failureOf(other.call("serverLive", {}))).toEqual(refused);
      const wrong = other.call("modelReady", { name: "a" }, { metadata: { "triton-grpc-protocol-admin-key": "41" } });
      expect(await failureOf(wrong)).toEqual(refused);
      const check = other.unary("/grpc.health.v1.Health/Check", {
        input: HealthCheckRequestSchema,
        output: HealthCheckResponseSchema,
        request: {},
      });
      expect(await failureOf(check)).toEqual(refused);
      const stream = other.stream();
      stream.send(request);
      expect(await stream.ended).toEqual({ code: refused[0], details: refused[1] });
      expect(floatsOf((await other.call("modelInfer", request, { metadata })).rawOutputContents[0])).toEqual([2]);
      expect((await failureOf(other.call("logSettings", {})))[1]).toMatch(/'triton-grpc-protocol-log'/);
      expect((await other.call("serverMetadata", {})).name).toBe("triton");
    } finally {
      other.close();
      await own.dispose();
    }
  });
});

describe("--grpc-infer-response-compression-level", () => {
  it("compresses answers for clients that take it", async () => {
    const own = await startTestServer({
      models: [offset("a", 1)],
      args: ["--grpc-infer-response-compression-level=medium"],
    });
    const other = new GrpcJsClient(own.grpcAddress);
    try {
      const row = Array.from({ length: 20_000 }, () => 1);
      const raw = new RawGrpc(own.grpcAddress);
      const message = toBinary(ModelInferRequestSchema, create(ModelInferRequestSchema, floatRequest("a", [row])));
      const path = "/inference.GRPCInferenceService/ModelInfer";
      const packed = await raw.exchange(path, framed(message), { "grpc-accept-encoding": "identity, gzip" });
      expect([packed.headers["grpc-encoding"], packed.body[0], packed.body.length < 4000]).toEqual(["gzip", 1, true]);
      const plain = await raw.exchange(path, framed(message));
      expect([plain.headers["grpc-encoding"], plain.body[0], plain.body.length > 80_000]).toEqual([undefined, 0, true]);
      raw.close();
      // grpc-js names gzip and deflate as what it accepts.
      const answer = await other.call("modelInfer", floatRequest("a", [row]));
      expect(floatsOf(answer.rawOutputContents[0])).toEqual(row.map(() => 2));
      const stream = other.stream();
      // An error that comes first is not compressed; what follows still is.
      stream.send({ modelName: "nobody", id: "0" });
      for (const id of ["1", "2"]) stream.send(floatRequest("a", [row], { id }));
      stream.end();
      expect((await stream.ended).code).toBe(status.OK);
      expect(stream.answers.map(({ inferResponse }) => inferResponse?.id)).toEqual(["0", "1", "2"]);
    } finally {
      other.close();
      await own.dispose();
    }
  });
});

describe("what is written about calls", () => {
  it("is one line of the access log for each, with what was asked and how it ended", async () => {
    const own = await startTestServer({ models: [offset("a", 1)], args: ["--access-log=true"] });
    const other = new GrpcJsClient(own.grpcAddress);
    try {
      await other.call("modelInfer", floatRequest("a", [[1]], { id: "seven" }));
      await failureOf(other.call("modelMetadata", { name: "nobody" }));
      const lines = await waitUntil("both are logged", () => {
        const found = own.log.filter(({ protocol }) => protocol === "grpc");
        return found.length === 2 ? found : undefined;
      });
      expect(lines).toMatchObject([
        { operation: "ModelInfer", model: "a", requestId: "seven", status: "OK", peer: "127.0.0.1" },
        { operation: "ModelMetadata", status: "NOT_FOUND" },
      ]);
    } finally {
      other.close();
      await own.dispose();
    }
  });

  it("is a trace with the moments of the front end around those of the execution", async () => {
    const directory = testDirectory([offset("a", 1)]);
    const file = join(directory, "traces.json");
    const own = launchTestServer(directory, {
      args: [`--trace-config=triton,file=${file}`, "--trace-config=level=TIMESTAMPS", "--trace-config=rate=1"],
    });
    const other = await own.ready().then(() => new GrpcJsClient(own.grpcAddress));
    try {
      await other.call("modelInfer", floatRequest("a", [[1]], { id: "traced" }));
      expect((await own.stop()).code).toBe(0);
      const entries: readonly { readonly timestamps?: readonly { readonly name: string; readonly ns: number }[] }[] =
        JSON.parse(readFileSync(file, "utf8"));
      const moments = entries.flatMap(({ timestamps = [] }) => timestamps).sort((a, b) => a.ns - b.ns);
      const names = moments.map(({ name }) => name);
      const order = [
        "GRPC_WAITREAD_START",
        "GRPC_WAITREAD_END",
        "REQUEST_START",
        "COMPUTE_START",
        "REQUEST_END",
        "GRPC_SEND_START",
        "GRPC_SEND_END",
      ];
      expect(names.filter((name) => order.includes(name))).toEqual(order);
    } finally {
      other.close();
      await own.dispose();
    }
  });
});
