"use client";

import { type DehydratedState, HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useNode } from "./node-context.tsx";

export interface NodeHydrationProps {
  /** The node whose data it is; null = the local one. */
  readonly of: string | null;
  readonly state: DehydratedState;
  readonly children: ReactNode;
}

/** Takes over the data that came with the page, unless it is of another node than the one that is looked at. */
export function NodeHydration({ of, state, children }: NodeHydrationProps) {
  const { id } = useNode();
  return <HydrationBoundary state={of === id ? state : undefined}>{children}</HydrationBoundary>;
}
