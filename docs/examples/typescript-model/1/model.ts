/** Normalises images: what goes before a vision model. */
interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

enum Scale {
  Bytes = 255,
}

export function autoComplete() {
  const image = { datatype: "FP32", dims: [-1] };
  return { maxBatchSize: 8, inputs: [{ name: "IMAGE", ...image }], outputs: [{ name: "NORMAL", ...image }] };
}

export function execute(requests: readonly { readonly inputs: { readonly IMAGE: Tensor } }[]) {
  return requests.map(({ inputs: { IMAGE } }) => ({
    outputs: { NORMAL: { shape: IMAGE.shape, data: IMAGE.data.map((value: number) => value / Scale.Bytes) } },
  }));
}
