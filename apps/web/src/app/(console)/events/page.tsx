import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import { EventsPage } from "../../../features/events/events-page.tsx";
import {
  EVENT_RANGE_SECONDS,
  eventsSearchParams,
  OWN_EVENT_RANGE,
  timelineInput,
} from "../../../features/events/search-params.ts";
import { preferredRange } from "../../../features/settings/preferred-range.ts";
import { ownPreferences } from "../../../server/own-preferences.ts";
import { Prefetch } from "../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Events" };

const load = createLoader(eventsSearchParams);

export default async function Page({ searchParams }: PageProps<"/events">) {
  const view = await load(searchParams);
  const preferred = (await ownPreferences()).range;
  const range = view.range ?? preferredRange(preferred, EVENT_RANGE_SECONDS, OWN_EVENT_RANGE);
  const input = timelineInput({ ...view, range });
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.events.timeline.queryOptions(input))]}>
      <EventsPage />
    </Prefetch>
  );
}
