import { NereidError } from "@nereid/errors";
import type { Backend, BackendProgram, BackendSubject } from "../backend.ts";
import { planAccelerators } from "./plan-accelerators.ts";
import { ONNX_PARAMETERS, planOnnxSession } from "./plan-onnx-session.ts";

/** The engine's Python package as a runner, for providers and options that the built-in engine does not have. */
export type PythonEngine = (subject: BackendSubject) => Promise<BackendProgram>;

/** ONNX models on onnxruntime, each instance a thread of the server's own runner; with some accelerators in a runner in Python. */
export function onnxruntimeBackend(pythonEngine?: PythonEngine): Backend {
  return {
    name: "onnxruntime",
    modelFiles: ["model.onnx"],
    parameters: ONNX_PARAMETERS,
    planSession: planOnnxSession,
    program: async (subject) => {
      const { needsPythonEngine, executionProviders } = planAccelerators(subject.config, subject.instances);
      const custom = subject.config.modelOperations?.opLibraryFilename ?? [];
      if (!needsPythonEngine && custom.length === 0) return undefined;
      if (pythonEngine !== undefined) return pythonEngine(subject);
      const what = needsPythonEngine ? `accelerator ${executionProviders[0]?.name}` : "library of custom operators";
      throw new NereidError(
        "UNAVAILABLE",
        `the ${what} needs onnxruntime for Python, which this server was built without`,
      );
    },
  };
}
