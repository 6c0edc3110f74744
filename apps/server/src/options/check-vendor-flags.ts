import { FLAGS } from "./flag-table.ts";
import { bad, type GivenFlags, type WholeRange } from "./given-flags.ts";
import type { OptionNotice } from "./server-options.ts";

const RANGES: Readonly<Record<string, WholeRange>> = {
  "grpc-infer-thread-count": { min: 2, max: 128 },
  "grpc-max-response-pool-size": { min: 1 },
  "sagemaker-port": { min: 0, max: 65_535 },
  "vertex-ai-port": { min: 0, max: 65_535 },
  "http-thread-count": { min: 1 },
};

const FORMS: Readonly<Record<string, readonly [form: RegExp, words: string]>> = {
  "cuda-memory-pool-byte-size": [/^\d+:\d+$/, "<gpu>:<bytes>"],
  "cuda-virtual-address-size": [/^(?:\d+:)?\d+$/, "<gpu>:<bytes>"],
  "model-load-gpu-limit": [/^\d+:(?:0|1|[01]?\.\d+)$/, "<gpu>:<fraction from 0 to 1>"],
  "min-supported-compute-capability": [/^\d+(?:\.\d+)?$/, "a number such as 6.0"],
  "sagemaker-safe-port-range": [/^\d+-\d+$/, "<low>-<high>"],
};

/**
 * Notices about options without effect here and about deprecated ones. Their values are checked all the same, so that a script
 * that is wrong for Triton is not right here: INVALID_ARGUMENT names the option, the value and what it takes.
 */
export function checkVendorFlags(given: GivenFlags): readonly OptionNotice[] {
  return given.names().flatMap((name): OptionNotice[] => {
    const flag = FLAGS[name];
    if (flag === undefined) return [];
    const option = `--${name}`;
    if (flag.deprecated !== undefined) return [{ option, text: `deprecated; use ${flag.deprecated}` }];
    if (flag.noEffect === undefined) return [];
    checkValue(given, name);
    const refused = flag.kind === "boolean" && given.boolean(name) === false;
    return refused ? [] : [{ option, text: `no effect: ${flag.noEffect}` }];
  });
}

function checkValue(given: GivenFlags, name: string): void {
  const kind = FLAGS[name]?.kind;
  if (kind === "boolean") given.boolean(name);
  if (kind === "whole") given.whole(name, RANGES[name] ?? { min: 0 });
  const form = FORMS[name];
  if (form === undefined) return;
  for (const value of given.all(name)) {
    if (!form[0].test(value)) throw bad(name, `expected ${form[1]}, got "${value}"`);
  }
}
