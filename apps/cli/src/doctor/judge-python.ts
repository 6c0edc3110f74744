import { type Attempt, type Facts, PYTHON_MODULES, type PythonModule } from "./facts.ts";
import type { Finding, Subject } from "./finding.ts";
import { failureText } from "./judge-engine.ts";

const INSTALL = "apt-get install python3 python3-pip python3-numpy";
const WHAT_FOR: Readonly<Record<PythonModule, string>> = {
  numpy: "every Python model",
  torch: "PyTorch models",
  tensorflow: "SavedModels",
  openvino: "OpenVINO models",
  onnxruntime: "CUDA, TensorRT and OpenVINO with options of their own",
  sklearn: "scikit-learn models",
  xgboost: "XGBoost models",
};

/** Rows about the Python that runs models. Pure. */
export function judgePython({ python }: Facts): readonly Finding[] {
  if (python.kind !== "works") {
    const text = `no Python that runs: ${failureText(python)}`;
    return [
      { subject: "python", status: python.kind === "failed" ? "absent" : "problem", text, fix: INSTALL },
      ...PYTHON_MODULES.map((module) => ({
        subject: subjectOf(module),
        status: "absent" as const,
        text: "there is no Python to have it",
        fix: INSTALL,
      })),
    ];
  }
  const { program, version, modules, providers } = python.value;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const old = major < 3 || (major === 3 && minor < 9);
  return [
    old
      ? { subject: "python", status: "problem", text: `${version} (${program}); 3.9 or later is needed`, fix: INSTALL }
      : { subject: "python", status: "ok", text: `${version} (${program})` },
    ...PYTHON_MODULES.map((module): Finding => {
      const found = modules[module];
      const subject = subjectOf(module);
      if (found !== null && module === "onnxruntime" && providers !== undefined)
        return enginePackage({ program, version: found }, providers);
      if (found !== null) return { subject, status: "ok", text: found };
      const fix = `${program} -m pip install ${module === "sklearn" ? "scikit-learn" : module}`;
      return { subject, status: "absent", text: `not installed; it is for ${WHAT_FOR[module]}`, fix };
    }),
  ];
}

/** The package for processors has no other provider: which one it is decides what models can ask for. */
function enginePackage(
  { program, version }: { readonly program: string; readonly version: string },
  providers: Attempt<readonly string[]>,
): Finding {
  const subject = "onnxruntime-python";
  if (providers.kind === "works") {
    const names = providers.value.map((name) => name.replace(/ExecutionProvider$/, ""));
    return { subject, status: "ok", text: `${version}, with ${names.join(", ")}` };
  }
  const text = `${version} does not load: ${failureText(providers)}`;
  return { subject, status: "problem", text, fix: `${program} -m pip install --force-reinstall onnxruntime` };
}

function subjectOf(module: PythonModule): Subject {
  return module === "onnxruntime" ? "onnxruntime-python" : module;
}
