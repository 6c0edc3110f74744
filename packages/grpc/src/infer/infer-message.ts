/** A parameter as it was on the wire; `kind` is the case of the choice. */
export type WireParameter =
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "int64"; readonly value: bigint }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "double"; readonly value: number }
  | { readonly kind: "uint64"; readonly value: bigint }
  | { readonly kind: "unset" };

export type WireParameters = ReadonlyMap<string, WireParameter>;

export interface WireInput {
  readonly name: string;
  readonly datatype: string;
  /** Of dimensions beyond 2^53 only the magnitude is right. */
  readonly shape: readonly number[];
  readonly parameters: WireParameters | undefined;
  /** The bytes of `contents`, unread, one view for each time it came; undefined when it did not. */
  readonly contents: readonly Uint8Array[] | undefined;
}

export interface WireRequestedOutput {
  readonly name: string;
  readonly parameters: WireParameters | undefined;
}

/** A ModelInferRequest as it was on the wire; nothing is checked but that it is one. */
export interface InferMessage {
  readonly modelName: string;
  /** Empty = the server's choice. */
  readonly modelVersion: string;
  readonly id: string;
  readonly parameters: WireParameters | undefined;
  readonly inputs: readonly WireInput[];
  readonly outputs: readonly WireRequestedOutput[];
  /** Views on the message. */
  readonly raw: readonly Uint8Array[];
}
