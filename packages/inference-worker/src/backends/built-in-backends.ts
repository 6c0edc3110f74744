import type { Backend, Backends } from "./backend.ts";
import { javascriptBackend } from "./javascript-backend.ts";
import { onnxruntimeBackend } from "./onnxruntime/onnxruntime-backend.ts";

/** Backends that the server's own runner has, and those given, by name; one given takes the place of one that is there. */
export function backendsWith(others: readonly Backend[] = []): Backends {
  return new Map([onnxruntimeBackend(), javascriptBackend, ...others].map((backend) => [backend.name, backend]));
}
