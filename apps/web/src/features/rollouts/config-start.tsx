"use client";

import { Message } from "@nereid/ui";
import { ChangedConfig } from "../config/changed-config.tsx";
import { StartForm } from "./start-form.tsx";

export interface ConfigStartProps {
  readonly model: string;
  /** Served ones, lowest first. */
  readonly versions: readonly string[];
}

/** What is being written on the model's page Configuration, as a rollout instead of at once. */
export function ConfigStart({ model, versions }: ConfigStartProps) {
  if (versions.length === 0) {
    return (
      <Message kind="empty" title="No version is served">
        There is nothing to compare with. Load the model first.
      </Message>
    );
  }
  return (
    <ChangedConfig model={model} labels={{ before: "The file now", after: "The candidate" }}>
      {({ text, served }) => <StartForm model={model} versions={versions} config={{ text, ifDigest: served.digest }} />}
    </ChangedConfig>
  );
}
