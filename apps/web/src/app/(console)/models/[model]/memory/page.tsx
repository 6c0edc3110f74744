import type { Metadata } from "next";
import { MemoryPage } from "../../../../../features/memory/memory-page.tsx";
import { modelParam } from "../../../../../features/models/model-param.ts";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/memory">;

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Memory · ${await modelParam(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await modelParam(props);
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.models.get.queryOptions({ name })),
        client.prefetchQuery(trpc.memory.get.queryOptions({ name })),
      ]}
    >
      <MemoryPage name={name} />
    </Prefetch>
  );
}
