"use client";

import type { ModelStatus } from "@nereid/client";
import { Select } from "@nereid/ui";
import { versionState } from "./model-state.ts";

export interface VersionPickerProps {
  readonly model: ModelStatus;
  readonly value: string | null;
  readonly onChange: (version: string | null) => void;
}

/** Which version the figures are of; a version of the address that no longer exists stays selectable and says so. */
export function VersionPicker({ model, value, onChange }: VersionPickerProps) {
  const known = model.versions.some(({ version }) => version === value);
  return (
    <Select aria-label="Version" value={value ?? ""} onChange={(event) => onChange(event.target.value || null)}>
      <option value="">All versions</option>
      {model.versions.map((version) => (
        <option key={version.version} value={version.version}>
          Version {version.version} ({versionState(version).state})
        </option>
      ))}
      {value === null || known ? null : <option value={value}>Version {value} (not there)</option>}
    </Select>
  );
}
