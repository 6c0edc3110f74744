import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import { historyInputOf } from "../../../../../features/latency/history-input.ts";
import { LatencyPage } from "../../../../../features/latency/latency-page.tsx";
import {
  HISTORY_RANGE_SECONDS,
  latencySearchParams,
  OWN_RANGE,
} from "../../../../../features/latency/search-params.ts";
import { windowOf } from "../../../../../features/latency/time-window.ts";
import { modelParam } from "../../../../../features/models/model-param.ts";
import { preferredRange } from "../../../../../features/settings/preferred-range.ts";
import { ownPreferences } from "../../../../../server/own-preferences.ts";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/latency">;

const load = createLoader(latencySearchParams);

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Latency · ${await modelParam(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await modelParam(props);
  const params = await load(props.searchParams);
  const { version, split } = params;
  const preferred = (await ownPreferences()).range;
  const range = params.range ?? preferredRange(preferred, HISTORY_RANGE_SECONDS, OWN_RANGE);
  const window = windowOf({ ...params, range }, HISTORY_RANGE_SECONDS);
  const input = historyInputOf({ model: name, window, version, split });
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
