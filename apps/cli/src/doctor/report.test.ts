import { offsetModel } from "@nereid/model-authoring";
import { describe, expect, it } from "vitest";
import { parseDoctorCommand } from "./doctor-options.ts";
import type { Facts } from "./facts.ts";
import type { Finding, Subject } from "./finding.ts";
import { PROBE_MODEL_BASE64 } from "./probe-model.ts";
import { openFilesOf } from "./read-machine.ts";
import { judge, reportLines } from "./report.ts";

const works = <T>(value: T) => ({ kind: "works", value }) as const;
const failed = (message: string) => ({ kind: "failed", message }) as const;

/** A machine with everything. */
const ALL: Facts = {
  node: "22.12.0",
  engine: works({ version: "1.30.0" }),
  providers: {
    cpu: works({ milliseconds: 12.4 }),
    cuda: works({ milliseconds: 900 }),
    tensorrt: works({ milliseconds: 4000 }),
    webgpu: works({ milliseconds: 70 }),
  },
  nvidia: works({ driver: "580.1", gpus: [{ name: "NVIDIA L4", memoryBytes: 24 * 2 ** 30 }] }),
  vulkan: works({}),
  python: works({
    program: "/usr/bin/python3",
    version: "3.11.2",
    modules: {
      numpy: "1.24.2",
      torch: "2.4",
      tensorflow: "2.17",
      openvino: "2026.1",
      onnxruntime: "1.30.0",
      sklearn: "1.5",
      xgboost: "2.1",
    },
  }),
  llama: works({ version: "3.22.1" }),
  sharedMemory: { totalBytes: 2 ** 31, freeBytes: 2 ** 30 },
  memoryBytes: 2 ** 34,
  cores: 8,
  openFiles: 65_536,
};

function found(change: Partial<Facts>, subject: Subject): Finding | undefined {
  return judge({ ...ALL, ...change }, []).findings.find((finding) => finding.subject === subject);
}

const providers = (name: string, attempt: Facts["providers"]["cuda"]) => ({
  providers: { ...ALL.providers, [name]: attempt },
});

describe("the doctor's judgement", () => {
  it("finds nothing to do on a machine with everything", () => {
    const report = judge(ALL, ["cuda", "python"]);
    expect(report.missing).toEqual([]);
    expect(report.findings.filter(({ status, fix }) => status !== "ok" || fix !== undefined)).toEqual([]);
    expect(found({}, "nvidia")?.text).toBe("driver 580.1: NVIDIA L4 (24 GiB)");
    expect(reportLines(report).at(-1)).toBe("Everything that is needed is there.");
  });

  it.each([
    ["libonnxruntime_providers_shared.so is missing", "node script/install.js"],
    ["libcublasLt.so.12 is missing", "cuda-libraries-12"],
    ["libcudnn.so.9 is missing", "cudnn9-cuda-12"],
    ["libcuda.so.1 is missing", "nvidia.com/drivers"],
  ])("CUDA without it, %s: %s", (message, fix) => {
    expect(found(providers("cuda", failed(message)), "cuda")).toEqual({
      subject: "cuda",
      status: "absent",
      text: message,
      fix: expect.stringContaining(fix),
    });
  });

  it("names the libraries of TensorRT, and Vulkan for WebGPU", () => {
    expect(found(providers("tensorrt", failed("libnvinfer.so.10 is missing")), "tensorrt")?.fix).toContain(
      "libnvinfer10",
    );
    expect(found(providers("webgpu", failed("Failed to get a WebGPU adapter")), "webgpu")?.fix).toContain(
      "VK_ICD_FILENAMES",
    );
  });

  it("a crash is a fault, told with what it said; a missing option is none", () => {
    const crash = { kind: "crashed", how: "SIGSEGV", output: "vkCreateDevice\nlost" } as const;
    expect(found(providers("webgpu", crash), "webgpu")).toMatchObject({
      status: "problem",
      text: "crashed its process (SIGSEGV): vkCreateDevice lost",
    });
    expect(found({ nvidia: { kind: "silent", seconds: 120 } }, "nvidia")).toMatchObject({
      status: "problem",
      text: "did not answer within 120 s",
    });
    expect(found({ llama: failed("the package node-llama-cpp is not installed") }, "llama")?.status).toBe("absent");
  });

  it("says what is too little, and how to have more", () => {
    expect(found({ sharedMemory: { totalBytes: 2 ** 26, freeBytes: 2 ** 26 } }, "shared-memory")).toEqual({
      subject: "shared-memory",
      status: "problem",
      text: "/dev/shm: 0.1 GiB, 0.1 GiB free: too little",
      fix: expect.stringContaining("--shm-size=1g"),
    });
    expect(found({ openFiles: 1024 }, "open-files")?.fix).toContain("ulimit -n");
    expect(found({ openFiles: Number.POSITIVE_INFINITY }, "open-files")?.text).toBe("no limit");
    expect(found({ node: "20.18.3" }, "node")?.status).toBe("problem");
    expect(found({ node: "20.19.0" }, "node")?.status).toBe("ok");
    expect(found({ node: "24.0.0" }, "node")?.status).toBe("ok");
  });

  it("names the command for each Python module that is missing, with the program's own path", () => {
    if (ALL.python.kind !== "works") throw new Error("the test's facts have Python");
    const { value } = ALL.python;
    const without = works({ ...value, modules: { ...value.modules, torch: null } });
    expect(found({ python: without }, "torch")).toMatchObject({
      status: "absent",
      fix: "/usr/bin/python3 -m pip install torch",
    });
    const plain = works({ ...value, modules: { ...value.modules, sklearn: null } });
    expect(found({ python: plain }, "sklearn")?.fix).toBe("/usr/bin/python3 -m pip install scikit-learn");
    expect(found({ python: works({ ...value, version: "3.8.10" }) }, "python")?.status).toBe("problem");
    expect(found({ python: failed("spawn python3 ENOENT") }, "numpy")?.status).toBe("absent");
  });

  it("tells what Python's onnxruntime was built with, and when it does not load", () => {
    if (ALL.python.kind !== "works") throw new Error("the test's facts have Python");
    const { value } = ALL.python;
    const providers = works(["CUDAExecutionProvider", "CPUExecutionProvider"]);
    expect(found({ python: works({ ...value, providers }) }, "onnxruntime-python")?.text).toBe(
      "1.30.0, with CUDA, CPU",
    );
    const broken = { kind: "crashed", how: "exit code 1", output: "ImportError: libcudart.so.12" } as const;
    expect(found({ python: works({ ...value, providers: broken }) }, "onnxruntime-python")).toMatchObject({
      status: "problem",
      text: "1.30.0 does not load: crashed its process (exit code 1): ImportError: libcudart.so.12",
    });
  });

  it("misses only what is needed; the processor always is", () => {
    const bare = { ...ALL, ...providers("cuda", failed("x")), python: failed("x") };
    expect(judge(bare, []).missing).toEqual([]);
    expect(judge(bare, ["cuda", "torch", "webgpu"]).missing).toEqual(["cuda", "torch"]);
    expect(judge({ ...ALL, ...providers("cpu", failed("x")) }, []).missing).toEqual(["cpu"]);
    expect(reportLines(judge(bare, ["cuda"])).at(-1)).toBe("Needed and missing: cuda");
  });
});

it("parseDoctorCommand() knows the subjects", () => {
  expect(parseDoctorCommand(["--need=cuda, python", "--json"])).toEqual({
    need: ["cuda", "python"],
    python: undefined,
    json: true,
  });
  expect(() => parseDoctorCommand(["--need=cuda,rocm"])).toThrow("'rocm' is nothing the doctor looks at");
  expect(() => parseDoctorCommand(["--nope"])).toThrow("--nope");
});

it("openFilesOf() reads the soft limit", () => {
  const limits = (soft: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}  524288  files\n`;
  expect(openFilesOf(limits("1024"))).toBe(1024);
  expect(openFilesOf(limits("unlimited"))).toBe(Number.POSITIVE_INFINITY);
  expect(openFilesOf("")).toBeUndefined();
});

it("the probe's model is what it says", () => {
  expect(PROBE_MODEL_BASE64).toBe(Buffer.from(offsetModel(1)).toString("base64"));
});
