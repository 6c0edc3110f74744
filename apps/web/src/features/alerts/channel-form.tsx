"use client";

import type { ChannelRecord } from "@nereid/services";
import { Button, Card, Checkbox, Field } from "@nereid/ui";
import { useState } from "react";

const SEVERITIES = [
  { value: "page", label: "Pages: somebody must look now" },
  { value: "ticket", label: "Tickets: somebody must look this week" },
] as const;

type Severity = (typeof SEVERITIES)[number]["value"];

export interface ChannelFields {
  readonly name: string;
  readonly url: string;
  readonly severities: Severity[];
  readonly enabled: boolean;
}

export interface ChannelFormProps {
  readonly channel?: ChannelRecord;
  readonly busy: boolean;
  readonly onSave: (fields: ChannelFields) => void;
  readonly onCancel?: () => void;
}

/** Where alerts go, and which. */
export function ChannelForm({ channel, busy, onSave, onCancel }: ChannelFormProps) {
  const [name, setName] = useState(channel?.name ?? "");
  const [url, setUrl] = useState(channel?.url ?? "");
  const [enabled, setEnabled] = useState(channel?.enabled ?? true);
  const [wanted, setWanted] = useState<readonly string[]>(channel?.severities ?? ["page"]);
  const severities = SEVERITIES.map(({ value }) => value).filter((value) => wanted.includes(value));
  return (
    <Card title={channel === undefined ? "New receiver" : `Change ${channel.name}`}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          onSave({ name: name.trim(), url: url.trim(), severities, enabled });
        }}
      >
        <div className="grid gap-4 sm:grid-cols-[16rem_minmax(0,1fr)]">
          <Field label="Name" required value={name} onChange={(event) => setName(event.target.value)} />
          <Field
            label="Web hook"
            type="url"
            required
            placeholder="https://"
            hint="Messages are JSON, signed; nothing is sent into private networks unless that is allowed."
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        </div>
        <fieldset className="flex flex-wrap gap-x-6 gap-y-1">
          <legend className="mb-1 font-medium text-[0.929rem]">It gets</legend>
          {SEVERITIES.map(({ value, label }) => (
            <Checkbox
              key={value}
              label={label}
              checked={wanted.includes(value)}
              onChange={(event) =>
                setWanted(event.target.checked ? [...wanted, value] : wanted.filter((one) => one !== value))
              }
            />
          ))}
        </fieldset>
        {channel === undefined ? null : (
          <Checkbox label="Send to it" checked={enabled} onChange={(event) => setEnabled(event.target.checked)} />
        )}
        <div className="flex gap-2">
          <Button
            type="submit"
            tone="primary"
            busy={busy}
            disabled={name.trim() === "" || url.trim() === "" || severities.length === 0}
          >
            {channel === undefined ? "Add the receiver" : "Save"}
          </Button>
          {onCancel === undefined ? null : <Button onClick={onCancel}>Cancel</Button>}
        </div>
      </form>
    </Card>
  );
}
