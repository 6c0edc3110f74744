import type { Metadata } from "next";
import { LogsPage } from "../../../../../features/logs/logs-page.tsx";
import { modelParam } from "../../../../../features/models/model-param.ts";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/logs">;

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Logs · ${await modelParam(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await modelParam(props);
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.models.get.queryOptions({ name }))]}>
      <LogsPage name={name} />
    </Prefetch>
  );
}
