import { NereidError } from "@nereid/errors";
import type { Backend } from "@nereid/inference-worker";
import type { NeededPackage } from "./check-interpreter.ts";
import type { FindProgram } from "./program-of.ts";

/** Triton's Python models, and models of frameworks that run on Python (docs/python.md). */
export function pythonBackends(find: FindProgram): readonly Backend[] {
  return [
    pythonBackend(find),
    framework("pytorch", { files: ["model.pt", "model.pt2"], needs: { module: "torch", install: "torch" }, find }),
    framework("openvino", { files: ["model.xml"], needs: { module: "openvino", install: "openvino" }, find }),
    {
      ...framework("tensorflow", {
        files: ["model.savedmodel", "model.graphdef"],
        needs: { module: "tensorflow", install: "tensorflow-cpu" },
        find,
      }),
      takesDirectory: true,
    },
    framework("sklearn", {
      files: ["model.joblib", "model.pkl"],
      needs: { module: "sklearn", install: "scikit-learn" },
      find,
    }),
    framework("xgboost", {
      files: ["model.json", "model.ubj"],
      needs: { module: "xgboost", install: "xgboost" },
      find,
    }),
  ];
}

function pythonBackend(find: FindProgram): Backend {
  return {
    name: "python",
    modelFiles: ["model.py"],
    planSession: ({ defaultModelFilename }) => {
      if (defaultModelFilename !== "" && !defaultModelFilename.endsWith(".py"))
        throw new NereidError(
          "INVALID_ARGUMENT",
          `default_model_filename of a Python model must end in .py, got '${defaultModelFilename}'`,
        );
      return PLAIN;
    },
    program: (subject) => find(subject),
  };
}

const PLAIN = {
  session: { executionProviders: [{ name: "cpu" }], graphOptimization: "all", extra: {} },
  warnings: [],
} as const;

interface Framework {
  readonly files: readonly string[];
  readonly needs: NeededPackage;
  readonly find: FindProgram;
}

function framework(name: string, { files, needs, find }: Framework): Backend {
  return { name, modelFiles: files, planSession: () => PLAIN, program: (subject) => find(subject, needs) };
}
