import type { Metadata } from "next";
import { ModelPage } from "../../../../features/models/model-page.tsx";
import { modelParam } from "../../../../features/models/model-param.ts";
import { Prefetch } from "../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]">;

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `${await modelParam(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await modelParam(props);
  const { version } = await props.searchParams;
  const filter = { model: name, ...(typeof version === "string" && version !== "" ? { version } : {}) };
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.models.get.queryOptions({ name })),
        client.prefetchQuery(trpc.metrics.recentLatency.queryOptions(filter)),
        client.prefetchQuery(trpc.audit.list.queryOptions({ targetType: "model", targetId: name, limit: 5 })),
      ]}
    >
      <ModelPage name={name} />
    </Prefetch>
  );
}
