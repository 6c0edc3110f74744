import type { Metadata } from "next";
import { RolloutPage } from "../../../../features/rollouts/rollout-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

type Props = PageProps<"/rollouts/[id]">;

export const metadata: Metadata = { title: "Rollout" };

export default async function Page({ params }: Props) {
  const { id } = await params;
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.rollouts.get.queryOptions({ id }))]}>
      <RolloutPage id={id} />
    </Prefetch>
  );
}
