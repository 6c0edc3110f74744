import { NereidError } from "@nereid/errors";

const MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/** Milliseconds of a `grpc-timeout` header; undefined without one. INVALID_ARGUMENT for anything else. */
export function parseGrpcTimeout(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const match = /^(\d{1,8})([HMSmun])$/.exec(value);
  const unit = MS[match?.[2] ?? ""];
  if (match === null || unit === undefined)
    throw new NereidError("INVALID_ARGUMENT", `the header grpc-timeout is not a timeout: '${value.slice(0, 40)}'`);
  return Number(match[1]) * unit;
}

/** The header for a timeout in milliseconds, rounded up to what its eight digits can say. */
export function formatGrpcTimeout(ms: number): string {
  const most = 99_999_999;
  if (ms * 1000 <= most) return `${Math.max(1, Math.ceil(ms * 1000))}u`;
  if (ms <= most) return `${Math.ceil(ms)}m`;
  return `${Math.min(most, Math.ceil(ms / 1000))}S`;
}
