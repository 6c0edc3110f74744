"use client";

import type { ModelProfile } from "@nereid/client";
import { Banner, Button, Card, formatDuration, formatShare, Message, Select, Table, Td, Th, Tr } from "@nereid/ui";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";
import { downloadText } from "../../lib/download-text.ts";
import { useTRPC, useTRPCClient } from "../../lib/trpc.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";

const SECONDS = [2, 5, 15, 30] as const;

export interface ProfileCardProps {
  readonly model: string;
  readonly version: string;
  /** Why it cannot be profiled; null where it can. */
  readonly refusal: string | null;
}

/** Profiles the model while it serves and tells where its time goes. */
export function ProfileCard({ model, version, refusal }: ProfileCardProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [seconds, setSeconds] = useState(5);
  const profile = useMutation(trpc.models.profile.mutationOptions());
  const save = async (id: string) => {
    try {
      const events = await client.models.profileTrace.query({ name: model, id });
      downloadText(`${model}-${version}-trace.json`, "application/json", JSON.stringify(events));
    } catch (error) {
      toast.error("The trace could not be fetched", { description: shownError(error).message });
    }
  };
  return (
    <Card
      flush={profile.data !== undefined && profile.data.runs > 0}
      title="Where its time goes"
      hint="One instance more is loaded and measured for some seconds, while the model goes on serving."
      actions={
        <>
          <Select
            aria-label="Seconds to profile"
            value={seconds}
            onChange={(event) => setSeconds(Number(event.target.value))}
          >
            {SECONDS.map((one) => (
              <option key={one} value={one}>
                {one} s
              </option>
            ))}
          </Select>
          <GuardedButton
            permission="model.load"
            refusal={refusal}
            busy={profile.isPending}
            onClick={() => profile.mutate({ name: model, version, seconds })}
          >
            Profile
          </GuardedButton>
          {profile.data === undefined ? null : (
            <Button size="small" onClick={() => void save(profile.data.id)}>
              <Download aria-hidden />
              Trace
            </Button>
          )}
        </>
      }
    >
      {profile.isError ? <Banner tone="bad">{shownError(profile.error).message}</Banner> : null}
      {profile.data === undefined ? (
        <Message kind="empty" title={profile.isPending ? `Measuring for ${seconds} s…` : "Not profiled yet"}>
          {refusal ?? "Send requests while it is measured: only what is executed can be told."}
        </Message>
      ) : profile.data.runs === 0 ? (
        <Message kind="empty" title="Nothing was executed in these seconds">
          {profile.data.note}
        </Message>
      ) : (
        <ProfileTables profile={profile.data} />
      )}
    </Card>
  );
}

const provider = (name: string) => name.replace(/ExecutionProvider$/, "");

function ProfileTables({ profile }: { readonly profile: ModelProfile }) {
  const kernels = profile.operators.reduce((sum, { totalUs }) => sum + totalUs, 0);
  const us = (value: number) => formatDuration(value / 1000);
  return (
    <>
      <p className="px-4 pt-3 text-ink-soft">
        {profile.runs} {profile.runs === 1 ? "execution" : "executions"} in {profile.seconds} s,{" "}
        {us(profile.totalUs / profile.runs)} each in the mean.
      </p>
      <Table label="Time by operator and provider">
        <thead>
          <tr>
            <Th>Operator</Th>
            <Th>Provider</Th>
            <Th numeric>Calls</Th>
            <Th numeric>Time</Th>
            <Th numeric>Share of kernels</Th>
          </tr>
        </thead>
        <tbody>
          {profile.operators.map((one) => (
            <Tr key={`${one.operator}/${one.provider}`}>
              <Td className="font-mono">{one.operator}</Td>
              <Td>{provider(one.provider)}</Td>
              <Td numeric>{one.calls}</Td>
              <Td numeric>{us(one.totalUs)}</Td>
              <Td numeric>{formatShare(kernels === 0 ? null : one.totalUs / kernels)}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <h3 className="border-t px-4 pt-3 pb-1 font-medium">The costliest nodes</h3>
      <Table label="The costliest nodes">
        <thead>
          <tr>
            <Th>Node</Th>
            <Th>Operator</Th>
            <Th>Provider</Th>
            <Th numeric>Time</Th>
            <Th numeric>Mean of a call</Th>
          </tr>
        </thead>
        <tbody>
          {profile.nodes.map((one) => (
            <Tr key={one.node}>
              <Td className="font-mono [overflow-wrap:anywhere]">{one.node}</Td>
              <Td className="font-mono">{one.operator}</Td>
              <Td>{provider(one.provider)}</Td>
              <Td numeric>{us(one.totalUs)}</Td>
              <Td numeric>{us(one.totalUs / Math.max(1, one.calls))}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
