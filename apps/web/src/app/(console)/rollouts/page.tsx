import type { Metadata } from "next";
import { RolloutsPage } from "../../../features/rollouts/rollouts-page.tsx";
import { Prefetch } from "../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Rollouts" };

export default function Page() {
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.rollouts.list.queryOptions({ state: "all", limit: 100 })),
      ]}
    >
      <RolloutsPage />
    </Prefetch>
  );
}
