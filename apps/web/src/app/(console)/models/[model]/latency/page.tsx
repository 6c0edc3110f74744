import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import { historyInputOf } from "../../../../../features/latency/history-input.ts";
import { LatencyPage } from "../../../../../features/latency/latency-page.tsx";
import { latencySearchParams } from "../../../../../features/latency/search-params.ts";
import { windowOf } from "../../../../../features/latency/time-window.ts";
import { modelParam } from "../../../../../features/models/model-param.ts";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/latency">;

const load = createLoader(latencySearchParams);

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Latency · ${await modelParam(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await modelParam(props);
  const params = await load(props.searchParams);
  const input = historyInputOf({ model: name, window: windowOf(params), version: params.version, split: params.split });
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.models.get.queryOptions({ name })),
        client.prefetchQuery(trpc.history.range.queryOptions(input)),
      ]}
    >
      <LatencyPage name={name} />
    </Prefetch>
  );
}
