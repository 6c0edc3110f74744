import type { Metadata } from "next";
import { LoadTestPage } from "../../../../features/load-tests/load-test-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

type Props = PageProps<"/load-tests/[id]">;

export const metadata: Metadata = { title: "Load test" };

export default async function Page({ params }: Props) {
  const { id } = await params;
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.lab.get.queryOptions({ id }))]}>
      <LoadTestPage id={id} />
    </Prefetch>
  );
}
