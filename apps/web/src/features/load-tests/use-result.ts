"use client";

import type { LabJobView } from "@nereid/services";
import {
  type LoadTestProgress,
  type LoadTestResult,
  loadTestProgress,
  loadTestResult,
} from "@nereid/services/load-test-report";
import { type LoadTestSpec, loadTestSpec } from "@nereid/services/load-test-spec";
import { useMemo } from "react";

export interface ReadLoadTest {
  /** Null for one of a later release. */
  readonly spec: LoadTestSpec | null;
  readonly progress: LoadTestProgress | null;
  readonly result: LoadTestResult | null;
}

/** What a job holds, in the form of load tests. Pure. */
export function readLoadTest({
  spec,
  progress,
  result,
}: Pick<LabJobView, "spec" | "progress" | "result">): ReadLoadTest {
  return {
    spec: loadTestSpec.safeParse(spec).data ?? null,
    progress: loadTestProgress.safeParse(progress).data ?? null,
    result: loadTestResult.safeParse(result).data ?? null,
  };
}

/** The same, read again only when the job has changed. */
export function useLoadTest(job: LabJobView): ReadLoadTest {
  return useMemo(() => readLoadTest(job), [job]);
}
