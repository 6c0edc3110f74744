import type { InstanceStatus, ModelStatus, VersionStatus } from "@nereid/client";
import { Badge, Card, formatNumber, Message, StatePill, Table, Td, Th, Tr } from "@nereid/ui";
import { Activity, Circle } from "lucide-react";
import { MemoryLedger } from "./memory-ledger.tsx";
import { versionState } from "./model-state.ts";

const KINDS = { KIND_CPU: "CPU", KIND_GPU: "GPU", KIND_MODEL: "Model’s choice" } as const;

function deviceText({ kind, device }: InstanceStatus): string {
  return kind === "KIND_GPU" ? `GPU ${device}` : KINDS[kind];
}

function InstancesTable({ version }: { readonly version: VersionStatus }) {
  return (
    <Table label={`Instances of version ${version.version}`}>
      <thead>
        <tr>
          <Th>Instance</Th>
          <Th>Device</Th>
          <Th>Now</Th>
          <Th numeric>Busy</Th>
          <Th numeric>In flight</Th>
          <Th numeric>Executions</Th>
        </tr>
      </thead>
      <tbody>
        {version.instances.map((instance) => (
          <Tr key={instance.name}>
            <Td className="font-mono text-[0.893rem]">{instance.name}</Td>
            <Td>{deviceText(instance)}</Td>
            <Td>
              <Badge tone={instance.busy ? "busy" : "neutral"}>
                {instance.busy ? <Activity aria-hidden /> : <Circle aria-hidden />}
                {instance.passive ? "Passive" : instance.busy ? "Busy" : "Idle"}
              </Badge>
            </Td>
            <Td numeric>{Math.round(instance.busyShare * 100)} %</Td>
            <Td numeric>{instance.inFlight}</Td>
            <Td numeric>{formatNumber(instance.executions)}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The process behind each version: its instances, its memory, how often it had to be started again. */
export function InstancesCard({ model, version }: { readonly model: ModelStatus; readonly version: string | null }) {
  const versions = model.versions.filter((one) => version === null || one.version === version);
  return (
    <Card flush title="Instances and runner" hint="One process per version; its memory comes back when it is unloaded.">
      {versions.length === 0 ? (
        <Message kind="empty" title="Nothing has been loaded yet" />
      ) : (
        <div className="divide-y divide-line">
          {versions.map((one) => (
            <div key={one.version}>
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3 pb-1">
                <h3 className="font-medium">Version {one.version}</h3>
                <StatePill state={versionState(one).state} />
                {one.runner === undefined ? null : (
                  <p className="text-[0.857rem] text-ink-soft">
                    process {one.runner.pid}, {one.runner.restarts} {one.runner.restarts === 1 ? "restart" : "restarts"}
                    {one.loadSeconds === undefined ? null : `, loaded in ${formatNumber(one.loadSeconds)} s`}
                  </p>
                )}
              </div>
              {one.instances.length > 0 ? <InstancesTable version={one} /> : null}
              {one.runner === undefined ? (
                <p className="px-4 pt-1 pb-4 text-ink-soft">No process is running for it.</p>
              ) : (
                <div className="border-t px-4 py-3">
                  <h4 className="mb-2 text-[0.857rem] text-ink-soft">Memory of the process</h4>
                  <MemoryLedger memory={one.runner.memory} />
                </div>
              )}
            </div>
          ))}
        </div>
      )}
    </Card>
  );
}
