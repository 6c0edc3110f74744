import type { Metadata } from "next";
import { ExperimentPage } from "../../../../features/experiments/experiment-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

type Props = PageProps<"/experiments/[id]">;

export const metadata: Metadata = { title: "Experiment" };

export default async function Page({ params }: Props) {
  const { id } = await params;
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.lab.get.queryOptions({ id }))]}>
      <ExperimentPage id={id} />
    </Prefetch>
  );
}
