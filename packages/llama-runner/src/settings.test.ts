import { describe, expect, it } from "vitest";
import { LLAMA_PARAMETERS, readSettings } from "./settings.ts";

const read = (parameters: Readonly<Record<string, string>>) => readSettings((key) => parameters[key]);

describe("settings of a GGUF model", () => {
  it("are complete without any", () => {
    expect(read({})).toMatchObject({ parallel: 4, task: "generate", cachePrompt: true, gpuLayers: undefined });
  });

  it("are read, and every key is known to the server", () => {
    const given = {
      parallel: "8",
      context_size: "1024",
      threads: "3",
      gpu_layers: "max",
      max_tokens: "99",
      task: "embedding",
      cache_prompt: "0",
      chat_template: "x",
    };
    expect(read(given)).toEqual({
      parallel: 8,
      contextSize: 1024,
      threads: 3,
      gpuLayers: "max",
      maxTokens: 99,
      task: "embedding",
      cachePrompt: false,
      chatTemplate: "x",
    });
    expect(Object.keys(given).filter((key) => !LLAMA_PARAMETERS.has(key))).toEqual([]);
  });

  it.each([
    [{ parallel: "0" }, "from 1 to 256, got '0'"],
    [{ parallel: "4.5" }, "whole number"],
    [{ context_size: "-1" }, "'context_size'"],
    [{ gpu_layers: "all" }, "'gpu_layers'"],
    [{ task: "chat" }, '"generate" or "embedding"'],
    [{ cache_prompt: "maybe" }, "0 or 1"],
  ])("%j is refused in words", (parameters: Readonly<Record<string, string>>, words) => {
    expect(() => read(parameters)).toThrow(words);
  });
});
