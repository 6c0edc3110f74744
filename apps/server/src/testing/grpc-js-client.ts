import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  type CallOptions,
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  type ClientUnaryCall,
  credentials,
  Metadata,
  type ServiceError,
} from "@grpc/grpc-js";
import { GRPCInferenceService, type ModelInferRequestSchema } from "@nereid/grpc";

type Service = typeof GRPCInferenceService;
type UnaryName = Exclude<keyof Service["method"], "modelStreamInfer">;
type Input<M extends keyof Service["method"]> = Service["method"][M]["input"];
type Output<M extends keyof Service["method"]> = Service["method"][M]["output"];

export interface GrpcJsOptions {
  readonly credentials?: ChannelCredentials;
  readonly channel?: ChannelOptions;
}

export interface UnaryOptions extends CallOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  /** Told of the call, to cancel it. */
  readonly onCall?: (call: ClientUnaryCall) => void;
}

/** Another implementation of gRPC, with the generated classes as its codec: nothing of ours but the socket's other end. */
export class GrpcJsClient {
  readonly client: Client;

  constructor(address: string, options: GrpcJsOptions = {}) {
    this.client = new Client(address, options.credentials ?? credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
      "grpc.max_send_message_length": -1,
      ...options.channel,
    });
  }

  /** Resolves with the answer; rejects with grpc-js's error (`code`, `details`). */
  call<M extends UnaryName>(
    name: M,
    request: MessageInitShape<Input<M>>,
    { metadata, onCall, ...options }: UnaryOptions = {},
  ): Promise<MessageShape<Output<M>>> {
    const method = GRPCInferenceService.method[name];
    return this.unary(`/${GRPCInferenceService.typeName}/${method.name}`, {
      input: method.input as Input<M>,
      output: method.output as Output<M>,
      request,
      options,
      ...(metadata !== undefined && { metadata }),
      ...(onCall !== undefined && { onCall }),
    });
  }

  unary<I extends DescMessage, O extends DescMessage>(
    path: string,
    call: {
      readonly input: I;
      readonly output: O;
      readonly request: MessageInitShape<I>;
      readonly metadata?: Readonly<Record<string, string>>;
      readonly options?: CallOptions;
      readonly onCall?: (call: ClientUnaryCall) => void;
    },
  ): Promise<MessageShape<O>> {
    return new Promise((resolve, reject) => {
      const started = this.client.makeUnaryRequest(
        path,
        (message: MessageShape<I>) => Buffer.from(toBinary(call.input, message)),
        (bytes: Buffer) => fromBinary(call.output, bytes),
        create(call.input, call.request),
        metadataOf(call.metadata),
        { deadline: Date.now() + 60_000, ...call.options },
        (error: ServiceError | null, answer?: MessageShape<O>) => {
          if (error !== null) reject(error);
          else if (answer === undefined) reject(new Error("no answer"));
          else resolve(answer);
        },
      );
      call.onCall?.(started);
    });
  }

  bidi<I extends DescMessage, O extends DescMessage>(
    path: string,
    { input, output, metadata }: { input: I; output: O; metadata?: Readonly<Record<string, string>> },
  ): ClientDuplexStream<MessageShape<I>, MessageShape<O>> {
    return this.client.makeBidiStreamRequest(
      path,
      (message: MessageShape<I>) => Buffer.from(toBinary(input, message)),
      (bytes: Buffer) => fromBinary(output, bytes),
      metadataOf(metadata),
    );
  }

  /** ModelStreamInfer. */
  stream(metadata?: Readonly<Record<string, string>>): GrpcJsStream {
    const { input, output, name } = GRPCInferenceService.method.modelStreamInfer;
    return new GrpcJsStream(
      this.bidi(`/${GRPCInferenceService.typeName}/${name}`, { input, output, ...(metadata && { metadata }) }),
    );
  }

  close(): void {
    this.client.close();
  }
}

type StreamAnswer = MessageShape<Output<"modelStreamInfer">>;
type StreamRequest = MessageShape<typeof ModelInferRequestSchema>;

/** An open ModelStreamInfer that keeps what came. */
export class GrpcJsStream {
  readonly answers: StreamAnswer[] = [];
  /** Resolves with the status, whatever it is. */
  readonly ended: Promise<{ readonly code: number; readonly details: string }>;
  readonly #stream: ClientDuplexStream<StreamRequest, StreamAnswer>;

  constructor(stream: ClientDuplexStream<StreamRequest, StreamAnswer>) {
    this.#stream = stream;
    stream.on("data", (answer: StreamAnswer) => this.answers.push(answer));
    // Told by the status as well.
    stream.on("error", () => undefined);
    this.ended = new Promise((resolve) => stream.on("status", ({ code, details }) => resolve({ code, details })));
  }

  send(request: MessageInitShape<typeof ModelInferRequestSchema>): void {
    const { input } = GRPCInferenceService.method.modelStreamInfer;
    this.#stream.write(create(input, request));
  }

  end(): void {
    this.#stream.end();
  }

  cancel(): void {
    this.#stream.cancel();
  }

  /** What came, in short: `id:first number`, or `id!error`. */
  get summary(): readonly string[] {
    return this.answers.map(({ errorMessage, inferResponse }) => {
      const id = inferResponse?.id ?? "";
      const raw = inferResponse?.rawOutputContents[0];
      return errorMessage === ""
        ? `${id}:${raw === undefined ? "" : Buffer.from(raw).readUInt32LE(0)}`
        : `${id}!${errorMessage}`;
    });
  }
}

function metadataOf(entries: Readonly<Record<string, string>> = {}): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(entries)) metadata.set(name, value);
  return metadata;
}

/** Code and text of a call that fails; throws when it does not. */
export async function failureOf(call: Promise<unknown>): Promise<readonly [code: number, details: string]> {
  try {
    await call;
  } catch (error) {
    const { code, details } = error as ServiceError;
    return [code, details];
  }
  throw new Error("the call did not fail");
}
