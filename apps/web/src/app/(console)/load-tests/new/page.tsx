import type { Metadata } from "next";
import { NewTestPage } from "../../../../features/load-tests/new-test-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "New load test" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.models.list.queryOptions())]}>
      <NewTestPage />
    </Prefetch>
  );
}
