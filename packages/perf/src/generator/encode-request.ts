import { deflateSync, gzipSync } from "node:zlib";
import { encodeInferMessage, frameHeader, PREFIX_BYTES } from "@nereid/grpc";
import { encodeInferRequest, type InferRequest, NO_CONTROLS } from "@nereid/protocol";
import { hostAndPort, type LoadSpec, type LoadTarget, type RequestStep } from "./load-spec.ts";

/** Where a request stands in its sequence. */
export interface SequencePlace {
  readonly id: number;
  readonly start: boolean;
  readonly end: boolean;
}

/** The bytes of a request, ready for a connection: HTTP/1.1 or a framed gRPC message. Pure. */
export function encodeRequest(spec: LoadSpec, step: RequestStep, sequence?: SequencePlace): Buffer {
  const { target } = spec;
  if (step.kind === "body") {
    return post(target, {
      path: step.path,
      body: Buffer.from(step.body),
      headers: { "Content-Type": "application/json" },
    });
  }
  const request: InferRequest = {
    id: "",
    modelParameters: spec.parameters,
    controls:
      sequence === undefined
        ? NO_CONTROLS
        : { ...NO_CONTROLS, sequenceId: BigInt(sequence.id), sequenceStart: sequence.start, sequenceEnd: sequence.end },
    binaryDataOutput: !target.jsonOutput,
    inputs: step.inputs,
    outputs: spec.outputs,
  };
  return target.protocol === "grpc" ? grpcMessage(target, request) : httpRequest(target, request);
}

function httpRequest(target: LoadTarget, request: InferRequest): Buffer {
  const { model, version, jsonInput } = target;
  const { json, blobs, headerLength, contentType } = encodeInferRequest(request, { binary: () => !jsonInput });
  const ofVersion = version === "" ? "" : `/versions/${version}`;
  return post(target, {
    path: `/v2/models/${encodeURIComponent(model)}${ofVersion}/infer`,
    body: Buffer.concat([json, ...blobs]),
    headers: {
      "Content-Type": contentType,
      ...(headerLength !== undefined && { "Inference-Header-Content-Length": String(headerLength) }),
    },
  });
}

function grpcMessage(target: LoadTarget, request: InferRequest): Buffer {
  const { model, version, compression, decoupled } = target;
  const named = { modelName: model, modelVersion: version, emptyFinalResponse: decoupled };
  const frame = Buffer.concat(encodeInferMessage(request, named).pieces);
  if (compression === "none") return frame;
  const message = frame.subarray(PREFIX_BYTES);
  const packed = compression === "gzip" ? gzipSync(message) : deflateSync(message);
  return Buffer.concat([frameHeader(packed.byteLength, true), packed]);
}

interface Post {
  readonly path: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

function post(target: LoadTarget, { path, body, headers }: Post): Buffer {
  const lines = Object.entries({ ...headers, ...target.headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${path} HTTP/1.1\r\nHost: ${hostAndPort(target)}\r\nContent-Length: ${body.byteLength}\r\n${lines.join("")}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}
