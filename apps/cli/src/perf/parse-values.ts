import type { GoodputLimits } from "@nereid/perf";
import type { ParameterValue } from "@nereid/protocol";
import type { FlagReader } from "./flag-reader.ts";
import type { PerfCommand } from "./perf-command.ts";
import { optionError } from "./read-flags.ts";

/** `host:port`, with or without http://. Pure, as all here; INVALID_ARGUMENT names the option. */
export function parseUrl(
  text: string | undefined,
  protocol: "http" | "grpc",
): { readonly host: string; readonly port: number } {
  const usual = protocol === "grpc" ? 8001 : 8000;
  const asked = text ?? `localhost:${usual}`;
  if (/^https:/i.test(asked))
    throw optionError("TLS is not supported", "use a plain-text port, or a TLS proxy in between");
  const url = /^http:\/\//i.test(asked) ? asked : `http://${asked}`;
  if (!URL.canParse(url)) throw optionError(`-u is '${asked}'`, `write -u localhost:${usual}`);
  const { hostname, port, pathname } = new URL(url);
  if (pathname !== "/") throw optionError(`-u is '${asked}'`, `give host and port only, as in -u ${hostname}:${usual}`);
  const told = /:(\d+)\/?$/.exec(asked)?.[1] ?? port;
  return { host: hostname.replace(/^\[|\]$/g, ""), port: told === "" ? usual : Number(told) };
}

export function parseShapes(texts: readonly string[]): ReadonlyMap<string, readonly number[]> {
  return new Map(
    texts.map((text) => {
      const [, name = "", dims = ""] = /^(.+):([\d,]+)$/.exec(text) ?? [];
      const shape = dims.split(",").map(Number);
      if (name === "" || shape.some((dim) => !Number.isSafeInteger(dim) || dim < 1))
        throw optionError(`--shape is '${text}'`, "write --shape NAME:3,224,224 with dimensions from 1 on");
      return [name, shape];
    }),
  );
}

export function parseHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const colon = text.indexOf(":");
      const [name, value] = [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
      if (colon < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t -~]*$/.test(value))
        throw optionError(`-H is '${text}'`, 'write -H "Name: value"');
      return [name, value];
    }),
  );
}

export function parseParameters(texts: readonly string[]): ReadonlyMap<string, ParameterValue> {
  return new Map(
    texts.map((text): [string, ParameterValue] => {
      const [, name = "", value = "", type = ""] = /^([^:]+):(.*):(bool|int|uint|string)$/.exec(text) ?? [];
      if (
        name === "" ||
        ((type === "int" || type === "uint") && !/^-?\d+$/.test(value)) ||
        (type === "bool" && !/^(true|false|0|1)$/.test(value))
      )
        throw optionError(
          `--request-parameter is '${text}'`,
          "write NAME:VALUE:TYPE with bool, int or string, as in max_tokens:256:int",
        );
      if (type === "bool") return [name, value === "true" || value === "1"];
      return [name, type === "string" ? value : BigInt(value)];
    }),
  );
}

export function parseSequences(flags: FlagReader): PerfCommand["sequences"] {
  const text = flags.text("sequenceIdRange") ?? "1";
  const [, first = "", end] = /^(\d+)(?::(\d+))?$/.exec(text) ?? [];
  const [firstId, endId] = [Number(first), end === undefined ? undefined : Number(end)];
  if (first === "" || firstId < 1 || (endId !== undefined && endId <= firstId))
    throw optionError(`--sequence-id-range is '${text}'`, "write S:E with E above S, as in 1:1000");
  return {
    length: flags.has("sequenceLength") ? flags.whole("sequenceLength", 20) : undefined,
    variation: flags.whole("sequenceLengthVariation", 20, 0) / 100,
    firstId,
    endId,
    concurrent: flags.whole("numOfSequences", 4),
  };
}

const GOODPUT_NAMES: Readonly<Record<string, keyof GoodputLimits>> = {
  latency: "latencyMs",
  request_latency: "latencyMs",
  ttft: "ttftMs",
  time_to_first_token: "ttftMs",
  itl: "itlMs",
  inter_token_latency: "itlMs",
};

export function parseGoodput(texts: readonly string[]): GoodputLimits | undefined {
  const parts = texts.flatMap((text) => text.split(/\s+/)).filter((part) => part !== "");
  if (parts.length === 0) return undefined;
  return Object.fromEntries(
    parts.map((part) => {
      const [name = "", text = ""] = part.split(":");
      const key = GOODPUT_NAMES[name];
      const value = Number(text);
      if (key === undefined || text === "" || !(value > 0))
        throw optionError(`--goodput is '${part}'`, "write NAME:MS with latency, ttft or itl, as in ttft:200");
      return [key, value];
    }),
  );
}
