import type { Metadata } from "next";
import { SlosPage } from "../../../../features/slos/slos-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Objectives · Settings" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.slos.list.queryOptions({}))]}>
      <SlosPage />
    </Prefetch>
  );
}
