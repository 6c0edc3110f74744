import { NereidError } from "@nereid/errors";
import { readBytesElements, writeBytesElements } from "@nereid/protocol";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * BYTES elements as the strings the engine takes. The engine keeps strings as NUL-terminated UTF-8, so an element with a
 * NUL or with bytes that are not UTF-8 would be changed silently: those are refused (INVALID_ARGUMENT).
 */
export function stringsFromBytes(bytes: Uint8Array, name: string, count: number): string[] {
  return readBytesElements(bytes, { count, inputName: name, modelName: "", requestId: "" }).map((element, index) => {
    if (element.includes(0)) throw refused(name, index, "contains a NUL byte");
    try {
      return decoder.decode(element);
    } catch {
      throw refused(name, index, "is not valid UTF-8");
    }
  });
}

export function bytesFromStrings(strings: readonly string[]): Uint8Array {
  return writeBytesElements(strings.map((text) => Buffer.from(text, "utf8")));
}

function refused(name: string, index: number, why: string): NereidError {
  return new NereidError(
    "INVALID_ARGUMENT",
    `element ${index} of BYTES input '${name}' ${why}, and ONNX string tensors cannot hold it; send base64 text or declare the input as UINT8`,
  );
}
