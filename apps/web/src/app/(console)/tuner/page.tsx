import type { Metadata } from "next";
import { TunerPage } from "../../../features/tuner/tuner-page.tsx";
import { Prefetch } from "../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Tuner" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.models.list.queryOptions())]}>
      <TunerPage />
    </Prefetch>
  );
}
