/** Writes the demo repository's models: `npm run author -w @nereid/model-authoring -- <model_repo>`. The same bytes every time. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cnnModel } from "./models/cnn.ts";
import { identityModel } from "./models/identity.ts";
import { mlpModel } from "./models/mlp.ts";
import { simpleModel } from "./models/simple.ts";
import { loadDigits } from "./training/digits.ts";
import { trainCnn } from "./training/train-cnn.ts";
import { mlpAccuracy, trainMlp } from "./training/train-mlp.ts";

const root = process.argv[2];
if (root === undefined) throw new Error("say where the model repository is: author-demo-repository <model_repo>");

function write(path: string, bytes: Uint8Array, note: string): void {
  const file = join(root ?? "", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  console.log(`${path}  ${bytes.byteLength} bytes  ${note}`);
}

const percent = (share: number) => `${(share * 100).toFixed(1)} % of held-out digits`;

write("simple/1/model.onnx", simpleModel(), "sum and difference");
write("identity/1/model.onnx", identityModel(), "13 element types");
write("identity_fp32/1/model.onnx", identityModel([["FLOAT", "FP32"]]), "one element type");
const digits = loadDigits();
const layers = trainMlp(digits.training);
write("mnist/1/model.onnx", mlpModel("mnist", layers), percent(mlpAccuracy(layers, digits.heldOut)));
const small = trainCnn({ filters: 4, epochs: 2, seed: 4 }, digits);
write("digits_cnn/1/model.onnx", cnnModel("digits_cnn", small.weights), percent(small.accuracy));
const large = trainCnn({ filters: 8, epochs: 4, seed: 8 }, digits);
write("digits_cnn/2/model.onnx", cnnModel("digits_cnn", large.weights), percent(large.accuracy));
