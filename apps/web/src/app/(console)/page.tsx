import type { Metadata } from "next";
import { rangeSeconds } from "../../features/latency/search-params.ts";
import { OverviewPage } from "../../features/overview/overview-page.tsx";
import { Prefetch } from "../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Overview" };

export default async function Page({ searchParams }: PageProps<"/">) {
  const { range } = await searchParams;
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.overview.get.queryOptions({ windowSeconds: rangeSeconds(range) })),
      ]}
    >
      <OverviewPage />
    </Prefetch>
  );
}
