"use client";

import type { NodeKind, NodeProbe } from "@nereid/services";
import { Banner, Button, Field, Select } from "@nereid/ui";
import { type FormEvent, useId, useState } from "react";

export interface NodeDraft {
  readonly name: string;
  readonly kind: NodeKind;
  readonly url: string;
  readonly metricsUrl: string | null;
  readonly grpcUrl: string | null;
  /** Undefined = as it is. */
  readonly key: string | null | undefined;
}

export interface NodeFormProps {
  /** What the fields begin with. */
  readonly initial: Omit<NodeDraft, "key">;
  /** A key is kept that the form does not show. */
  readonly hasKey: boolean;
  readonly action: string;
  readonly busy: boolean;
  readonly testing: boolean;
  readonly probe: NodeProbe | undefined;
  readonly onTest: (draft: NodeDraft) => void;
  readonly onSubmit: (draft: NodeDraft) => void;
  readonly onCancel?: () => void;
}

/** How a server is called and reached. */
export function NodeForm(props: NodeFormProps) {
  const { initial, hasKey, action, busy, testing, probe, onTest, onSubmit, onCancel } = props;
  const [fields, setFields] = useState({
    ...initial,
    metricsUrl: initial.metricsUrl ?? "",
    grpcUrl: initial.grpcUrl ?? "",
    key: "",
  });
  const [dropKey, setDropKey] = useState(false);
  const kindId = useId();
  const set = (name: keyof typeof fields) => (event: { readonly target: { readonly value: string } }) =>
    setFields({ ...fields, [name]: event.target.value });
  const draft: NodeDraft = {
    name: fields.name.trim(),
    kind: fields.kind,
    url: fields.url.trim(),
    metricsUrl: fields.metricsUrl.trim() === "" ? null : fields.metricsUrl.trim(),
    grpcUrl: fields.grpcUrl.trim() === "" ? null : fields.grpcUrl.trim(),
    key: fields.key !== "" ? fields.key : hasKey && !dropKey ? undefined : null,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(draft);
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Name of the node" required maxLength={60} value={fields.name} onChange={set("name")} />
        <div className="space-y-1.5">
          <label htmlFor={kindId} className="block font-medium text-[0.929rem]">
            Kind
          </label>
          <Select
            id={kindId}
            className="w-full"
            value={fields.kind}
            onChange={({ target }) => setFields({ ...fields, kind: target.value === "triton" ? "triton" : "nereid" })}
          >
            <option value="nereid">Nereid: everything</option>
            <option value="triton">Triton: what its V2 API can do</option>
          </Select>
        </div>
        <Field
          label="Address"
          hint="Of its HTTP port, such as http://10.0.0.7:8000"
          type="url"
          required
          value={fields.url}
          onChange={set("url")}
        />
        <Field
          label="Address of its metrics page"
          hint="Empty: the same host, port 8002, /metrics"
          type="url"
          value={fields.metricsUrl}
          onChange={set("metricsUrl")}
        />
        <Field
          label="Address of its gRPC port"
          hint="Empty: what a Nereid server says, or the port behind the HTTP one. https for TLS"
          type="url"
          value={fields.grpcUrl}
          onChange={set("grpcUrl")}
        />
        <Field
          label="Management key"
          hint={
            hasKey
              ? "One is kept, encrypted, and never shown. Leave this empty to keep it."
              : "Only where the server was started with one. Kept encrypted."
          }
          type="password"
          autoComplete="off"
          value={fields.key}
          onChange={set("key")}
        />
        {hasKey ? (
          <label className="flex min-h-[24px] items-center gap-2 self-center">
            <input type="checkbox" checked={dropKey} onChange={({ target }) => setDropKey(target.checked)} />
            Remove the kept key
          </label>
        ) : null}
      </div>
      {probe === undefined ? null : probe.ok ? (
        <Banner tone="info">
          It answers: {probe.facts.serverName} {probe.facts.version}, {probe.facts.ready ? "ready" : "not ready"}.
        </Banner>
      ) : (
        <Banner tone="bad">
          {probe.problem}
          {probe.fix === null ? "" : ` – ${probe.fix}`}
        </Banner>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" busy={busy}>
          {action}
        </Button>
        <Button type="button" busy={testing} disabled={draft.url === ""} onClick={() => onTest(draft)}>
          Test the connection
        </Button>
        {onCancel === undefined ? null : (
          <Button type="button" tone="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
