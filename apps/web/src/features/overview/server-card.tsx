import type { Overview } from "@nereid/services";
import { Card, formatBytes, Message } from "@nereid/ui";
import { LocalTime } from "../audit/local-time.tsx";

export interface ServerCardProps {
  readonly server: Overview["server"];
  readonly models: Overview["models"];
}

/** The inference server itself. */
export function ServerCard({ server, models }: ServerCardProps) {
  return (
    <Card flush title="Server">
      {server === null && models.total > 0 ? (
        <Message kind="empty" title="This node does not say more of itself">
          {models.ready} of {models.total} models are ready. What it tells of its machine stands on the page Nodes.
        </Message>
      ) : server === null ? (
        <Message kind="error" title="The inference server does not answer">
          Inference may go on; it is asked again every second.
        </Message>
      ) : (
        <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-2 px-4 py-3">
          <dt className="text-ink-soft">Models</dt>
          <dd>
            {models.ready} of {models.total} ready
            {models.loading > 0 ? `, ${models.loading} loading` : ""}
            {models.failed > 0 ? <span className="text-bad">, {models.failed} failed</span> : null}
          </dd>
          <dt className="text-ink-soft">Up since</dt>
          <dd>
            <LocalTime at={new Date(server.startedAtMs)} relative />
          </dd>
          <dt className="text-ink-soft">Memory</dt>
          <dd>{formatBytes(server.rssBytes)}, without its models</dd>
          <dt className="text-ink-soft">Cores</dt>
          <dd>{server.cores}</dd>
          <dt className="text-ink-soft">Control mode</dt>
          <dd>{server.controlMode}</dd>
          <dt className="text-ink-soft">Repository</dt>
          <dd className="font-mono text-[0.893rem] [overflow-wrap:anywhere]">{server.repositories.join(", ")}</dd>
        </dl>
      )}
    </Card>
  );
}
