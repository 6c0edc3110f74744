/** A tensor of a model's graph; a string dimension is symbolic, -1 is unnamed and free. */
export interface GraphTensor {
  readonly name: string;
  /** As the V2 protocol and Triton call it (FP32, INT64, BYTES, …); ONNX's own name for a type that neither has. */
  readonly datatype: string;
  readonly dims: readonly (number | string)[];
}

/** What a model file says of itself. */
export interface GraphSummary {
  /** Without those that an initializer gives a value. */
  readonly inputs: readonly GraphTensor[];
  readonly outputs: readonly GraphTensor[];
  /** Operator-set version by domain; the default domain is "". */
  readonly opset: Readonly<Record<string, number>>;
  readonly producer: string;
  /** Files beside the model that its weights lie in, as paths relative to the model file. Sorted. */
  readonly externalData: readonly string[];
  /** Number of nodes of the top graph by operator type. */
  readonly operators: Readonly<Record<string, number>>;
}
