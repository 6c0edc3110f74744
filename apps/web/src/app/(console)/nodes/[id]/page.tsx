import type { Metadata } from "next";
import { NodePage } from "../../../../features/nodes/node-page.tsx";
import { managedNodes } from "../../../../server/node-set.ts";
import { Prefetch } from "../../../../server/prefetch.tsx";
import { requireActor } from "../../../../server/session.ts";

type Props = PageProps<"/nodes/[id]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params;
  await requireActor();
  return { title: `${managedNodes().find((node) => node.id === id)?.name ?? "Unknown"} · Nodes` };
}

export default async function Page({ params }: Props) {
  const { id } = await params;
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.nodes.get.queryOptions({ id }))]}>
      <NodePage id={id} />
    </Prefetch>
  );
}
