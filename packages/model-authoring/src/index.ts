export { type CnnWeights, cnnModel } from "./models/cnn.ts";
export { allocationBombModel, loopModel } from "./models/hostile.ts";
export { IDENTITY_TYPES, identityModel } from "./models/identity.ts";
export { type DenseLayer, mlpModel } from "./models/mlp.ts";
export { fixedRowsModel, offsetModel, slowEchoModel } from "./models/probes.ts";
export { simpleModel } from "./models/simple.ts";
export { accumulatorConfig, accumulatorModel, RAGGED_CONFIG, raggedModel } from "./models/stateful.ts";
export {
  type OnnxConstant,
  type OnnxGraph,
  type OnnxNode,
  type OnnxType,
  type OnnxValue,
  onnxModel,
} from "./onnx-graph.ts";
export { type Digit, type DigitSets, loadDigits } from "./training/digits.ts";
export { heUniform, seededRandom } from "./training/random.ts";
