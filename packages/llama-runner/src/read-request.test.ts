import { describe, expect, it } from "vitest";
import { type RawRequest, readGenerationRequest } from "./read-request.ts";

function read(inputs: Readonly<Record<string, unknown>>, parameters: RawRequest["parameters"] = {}) {
  return readGenerationRequest({
    texts: (name) => {
      const value = inputs[name];
      if (Array.isArray(value)) return value.map(String);
      return typeof value === "string" ? [value] : undefined;
    },
    number: (name) => {
      const value = inputs[name];
      return typeof value === "number" || typeof value === "bigint" ? value : undefined;
    },
    parameters,
  });
}

describe("a request for text", () => {
  it("has the defaults of llama.cpp", () => {
    expect(read({ text_input: "x" })).toEqual({
      prompt: { kind: "text", text: "x" },
      maxTokens: undefined,
      temperature: 0.8,
      topP: 0.95,
      topK: 40,
      minP: 0,
      seed: undefined,
      stop: [],
      repeatPenalty: 1,
      frequencyPenalty: 0,
      presencePenalty: 0,
      stream: false,
      shape: undefined,
    });
  });

  it("takes what it says from inputs, or from parameters of the same names, inputs first", () => {
    const asked = read(
      { text_input: "x", max_tokens: 5, seed: -1n, stream: 1 },
      { max_tokens: 9, top_k: 7, stop: "." },
    );
    expect(asked).toMatchObject({ maxTokens: 5, topK: 7, stop: ["."], stream: true, seed: 2 ** 32 - 1 });
  });

  it("keeps messages as they are", () => {
    const messages = [{ role: "user", content: "hi", name: "me" }];
    expect(read({ messages: JSON.stringify(messages) }).prompt).toEqual({ kind: "messages", messages });
  });

  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{}, "the prompt is missing"],
    [{ text_input: "a", messages: "[]" }, "not as both"],
    [{ messages: "no" }, "is not JSON"],
    [{ messages: '[{"role": "user"}]' }, "message 0"],
    [{ text_input: "a", max_tokens: 0 }, "'max_tokens' must be from 1"],
    [{ text_input: "a", top_p: 1.5 }, "'top_p' must be from 0 to 1, got 1.5"],
    [{ text_input: "a", temperature: Number.NaN }, "'temperature'"],
    [{ text_input: "a", grammar: "g", json_schema: "{}" }, "not both"],
    [{ text_input: "a", stop: Array(65).fill("x") }, "at most 64"],
  ])("%j is refused in words", (inputs, words) => {
    expect(() => read(inputs)).toThrow(words);
  });
});
