import type { InstanceFacts, VersionBatching } from "@nereid/client";
import { Badge, Card, cn, formatBytes, formatNumber, Message, Table, Td, Th, Tr } from "@nereid/ui";
import type { ComponentProps } from "react";
import { InstanceActions } from "./instance-actions.tsx";
import { PHASE_WORDS } from "./instance-words.ts";

const KINDS = { KIND_CPU: "CPU", KIND_GPU: "GPU", KIND_MODEL: "Model’s choice" } as const;

const TONES: Readonly<Record<InstanceFacts["phase"], NonNullable<ComponentProps<typeof Badge>["tone"]>>> = {
  serving: "ok",
  draining: "warn",
  drained: "neutral",
  restarting: "warn",
  down: "bad",
};

/** From here on more requests would wait. */
const SATURATED = 0.85;

function BusyBar({ share, label }: { readonly share: number; readonly label: string }) {
  return (
    <div className="flex items-center gap-2" title={label}>
      <span aria-hidden className="h-2 w-20 overflow-hidden rounded-full bg-raised">
        <span
          className={cn("block h-full rounded-full", share >= SATURATED ? "bg-warn" : "bg-accent")}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span className="w-12 text-right font-mono">{Math.round(share * 100)} %</span>
    </div>
  );
}

function deviceOf({ kind, device }: InstanceFacts): string {
  return kind === "KIND_GPU" ? `GPU ${device}` : KINDS[kind];
}

/** What each instance of a version does, and the process they are in. */
export function InstanceTable({ model, version }: { readonly model: string; readonly version: VersionBatching }) {
  const { runner, instances } = version;
  const facts = [
    runner?.restarts !== undefined && `${runner.restarts} ${runner.restarts === 1 ? "restart" : "restarts"}`,
    runner?.threads !== undefined && `${runner.threads} threads`,
    runner?.rssBytes !== undefined && `${formatBytes(runner.rssBytes)} now`,
    runner?.peakBytes !== undefined && `${formatBytes(runner.peakBytes)} at most`,
  ].filter((fact) => fact !== false);
  return (
    <Card
      flush
      title={`Instances of version ${version.version}`}
      hint={runner === undefined ? "It has no process of its own." : `Process ${runner.pid}: ${facts.join(", ")}`}
    >
      {instances.length === 0 ? (
        <Message kind="empty" title="No instances">
          {version.scheduler === "ensemble"
            ? "An ensemble sends its requests to the instances of other models."
            : "The process is being started."}
        </Message>
      ) : (
        <Table label={`Instances of version ${version.version}`}>
          <thead>
            <tr>
              <Th>Instance</Th>
              <Th>State</Th>
              <Th>Device</Th>
              <Th>Busy, last 10 s</Th>
              <Th>Busy, last 60 s</Th>
              <Th numeric>In flight</Th>
              <Th numeric>Executions</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {instances.map((instance) => (
              <Tr key={instance.index}>
                <Td className="whitespace-nowrap font-mono text-[0.893rem]">
                  {instance.name}
                  {instance.passive ? <Badge className="ml-2">Passive</Badge> : null}
                </Td>
                <Td className="whitespace-nowrap">
                  <Badge tone={TONES[instance.phase]}>{PHASE_WORDS[instance.phase]}</Badge>
                </Td>
                <Td className="whitespace-nowrap">{deviceOf(instance)}</Td>
                <Td>
                  <BusyBar share={instance.busyShare10} label="Share of the last 10 s it was executing" />
                </Td>
                <Td>
                  <BusyBar share={instance.busyShare60} label="Share of the last 60 s it was executing" />
                </Td>
                <Td numeric>{instance.inFlight}</Td>
                <Td numeric>{formatNumber(instance.executions)}</Td>
                <Td>
                  <InstanceActions model={model} version={version} instance={instance} />
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
