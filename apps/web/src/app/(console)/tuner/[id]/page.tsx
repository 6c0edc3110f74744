import type { Metadata } from "next";
import { TuningPage } from "../../../../features/tuner/tuning-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

type Props = PageProps<"/tuner/[id]">;

export const metadata: Metadata = { title: "Search of settings" };

export default async function Page({ params }: Props) {
  const { id } = await params;
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.lab.get.queryOptions({ id }))]}>
      <TuningPage id={id} />
    </Prefetch>
  );
}
