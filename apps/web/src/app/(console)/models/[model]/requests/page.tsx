import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import { modelParam } from "../../../../../features/models/model-param.ts";
import { requestsInputOf } from "../../../../../features/requests/requests-input.ts";
import { RequestsPage } from "../../../../../features/requests/requests-page.tsx";
import { requestsSearchParams } from "../../../../../features/requests/search-params.ts";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/requests">;

const load = createLoader(requestsSearchParams);

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Requests · ${await modelParam(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await modelParam(props);
  const input = requestsInputOf(name, await load(props.searchParams));
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.models.get.queryOptions({ name })),
        client.prefetchQuery(trpc.requests.find.queryOptions(input)),
      ]}
    >
      <RequestsPage name={name} />
    </Prefetch>
  );
}
