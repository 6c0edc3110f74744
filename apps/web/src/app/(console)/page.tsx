import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import { OWN_RANGE, RANGE_SECONDS, rangeSearchParams } from "../../features/latency/search-params.ts";
import { OverviewPage } from "../../features/overview/overview-page.tsx";
import { preferredRange } from "../../features/settings/preferred-range.ts";
import { ownPreferences } from "../../server/own-preferences.ts";
import { Prefetch } from "../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Overview" };

const load = createLoader(rangeSearchParams);

export default async function Page({ searchParams }: PageProps<"/">) {
  const { range } = await load(searchParams);
  const preferred = (await ownPreferences()).range;
  const windowSeconds = RANGE_SECONDS[range ?? preferredRange(preferred, RANGE_SECONDS, OWN_RANGE)];
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.overview.get.queryOptions({ windowSeconds }))]}>
      <OverviewPage />
    </Prefetch>
  );
}
