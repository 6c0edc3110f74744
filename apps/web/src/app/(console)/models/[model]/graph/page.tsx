import type { Metadata } from "next";
import { GraphPage } from "../../../../../features/graph/graph-page.tsx";
import { modelParam } from "../../../../../features/models/model-param.ts";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/graph">;

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Graph · ${await modelParam(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await modelParam(props);
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.models.get.queryOptions({ name })),
        client.prefetchQuery(trpc.graph.get.queryOptions({ name })),
      ]}
    >
      <GraphPage name={name} />
    </Prefetch>
  );
}
