import { BytesWalk, byteSizeOf, checkBytesElements, type Datatype } from "@nereid/protocol";
import type { TensorRef } from "../../runner-protocol/messages.ts";
import { type NumericArray, typedView } from "../typed-view.ts";

/** An input as a script sees it. Its data lie in shared memory: valid until the request's final response, not to be written. */
export class ScriptTensor {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
  readonly #ref: TensorRef;
  readonly #buffer: ArrayBuffer;
  readonly #shared: boolean;
  #data: NumericArray | Buffer[] | undefined;

  /** `shared`: the buffer is a segment of shared memory, and `ref` is known to the server. */
  constructor(ref: TensorRef, buffer: ArrayBuffer, shared = true) {
    this.#shared = shared;
    this.name = ref.name;
    this.datatype = ref.datatype;
    this.shape = ref.shape;
    this.#ref = ref;
    this.#buffer = buffer;
  }

  /** Elements in row-major order: a typed array (FP16 and BF16 as their bits, BOOL as 0 and 1), or a Buffer for each BYTES element. */
  get data(): NumericArray | Buffer[] {
    this.#data ??= this.datatype === "BYTES" ? this.#elements() : this.#numbers(this.datatype);
    return this.#data;
  }

  /** Where it lies in shared memory; undefined when it does not. */
  get place(): TensorRef | undefined {
    return this.#shared ? this.#ref : undefined;
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#buffer, this.#ref.offset, this.#ref.byteLength);
  }

  /** The elements of a BYTES tensor as UTF-8 texts. */
  text(): string[] {
    if (this.datatype !== "BYTES")
      throw new TypeError(`input '${this.name}' is ${this.datatype}; only BYTES has texts`);
    return this.#elements().map((element) => element.toString("utf8"));
  }

  #numbers(datatype: Exclude<Datatype, "BYTES">): NumericArray {
    const { offset, byteLength } = this.#ref;
    if (offset % byteSizeOf(datatype) === 0) return typedView(this.#buffer, datatype, this.#ref);
    return typedView(this.#buffer.slice(offset, offset + byteLength), datatype, { offset: 0, byteLength });
  }

  #elements(): Buffer[] {
    const { offset, byteLength, shape } = this.#ref;
    const bytes = new Uint8Array(this.#buffer, offset, byteLength);
    const count = shape.reduce((product, dim) => product * dim, 1);
    checkBytesElements(bytes, { count, inputName: this.name, modelName: "", requestId: "" });
    const elements: Buffer[] = [];
    const walk = new BytesWalk(bytes);
    while (walk.next()) elements.push(Buffer.from(this.#buffer, offset + walk.start, walk.length));
    return elements;
  }
}
