import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import { EventsPage } from "../../../features/events/events-page.tsx";
import { eventsSearchParams, timelineInput } from "../../../features/events/search-params.ts";
import { Prefetch } from "../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Events" };

const load = createLoader(eventsSearchParams);

export default async function Page({ searchParams }: PageProps<"/events">) {
  const input = timelineInput(await load(searchParams));
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.events.timeline.queryOptions(input))]}>
      <EventsPage />
    </Prefetch>
  );
}
