import { setTimeout as sleep } from "node:timers/promises";
import { type AppRouter, appRouter } from "@nereid/api";
import { LOCAL_NODE } from "@nereid/services";
import { dehydrate, type QueryClient } from "@tanstack/react-query";
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { NodeHydration } from "../features/nodes/node-hydration.tsx";
import { createQueryClient } from "../lib/query-client.ts";
import { createApiContext } from "./api-context.ts";
import { requireActor } from "./session.ts";

const PATIENCE_MS = 700;

export interface PrefetchProps {
  /** Starts the queries that the page shows first. */
  readonly queries: (tools: { trpc: TRPCOptionsProxy<AppRouter>; client: QueryClient }) => Promise<unknown>[];
  readonly children: ReactNode;
}

/**
 * Sends the page with its first data. A node that does not answer soon must not keep the page from appearing: what is not
 * there in time, or failed, is left to the browser.
 */
export async function Prefetch({ queries, children }: PrefetchProps) {
  const client = createQueryClient();
  const ctx = createApiContext({ headers: await headers(), session: { actor: await requireActor(), sessionId: null } });
  const trpc = createTRPCOptionsProxy({ ctx, router: appRouter, queryClient: client });
  await Promise.race([Promise.allSettled(queries({ trpc, client })), sleep(PATIENCE_MS)]);
  return (
    <NodeHydration of={ctx.nodeId === LOCAL_NODE ? null : ctx.nodeId} state={dehydrate(client)}>
      {children}
    </NodeHydration>
  );
}
