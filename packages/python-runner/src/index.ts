/** Backends that run on Python: Triton's Python models, and those of frameworks; each instance is a process of its own. */
export { programFinder } from "./program-of.ts";
export { pythonBackends } from "./python-backend.ts";
export { pythonOnnxEngine } from "./python-onnx-engine.ts";
export { type PythonSettings, readPythonSettings } from "./settings.ts";
