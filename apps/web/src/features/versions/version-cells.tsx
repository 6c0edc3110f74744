import type { VersionRow } from "@nereid/services";
import { CopyButton, StatePill } from "@nereid/ui";
import { LocalTime } from "../audit/local-time.tsx";
import { versionState } from "../models/model-state.ts";

type RowProps = { readonly row: VersionRow };

/** State with its reason. */
export function VersionStateCell({ row }: RowProps) {
  const { state, reason } = versionState({ ...row, pending: 0, queued: 0, instances: [] });
  return (
    <div className="min-w-0 space-y-1">
      <StatePill state={state} />
      {reason === "" ? null : (
        <p className="max-w-80 text-[0.786rem] text-ink-soft [overflow-wrap:anywhere]">{reason}</p>
      )}
    </div>
  );
}

/** The first digits of a digest, and all of them to copy. */
export function DigestCell({ row }: RowProps) {
  if (row.digest === "") return <span className="text-ink-soft">no files</span>;
  return (
    <span className="inline-flex items-center gap-1 font-mono text-[0.857rem]" title={row.digest}>
      {row.digest.slice(0, 10)}
      <CopyButton text={row.digest} label={`Copy the digest of version ${row.version}`} />
    </span>
  );
}

/** When the files came, and by whom. */
export function CreatedCell({ row }: RowProps) {
  return (
    <div className="min-w-0">
      {row.createdAtMs === 0 ? "–" : <LocalTime at={new Date(row.createdAtMs)} relative />}
      <p className="text-[0.786rem] text-ink-soft [overflow-wrap:anywhere]">
        {row.author ?? "not through the dashboard"}
        {row.note === null ? null : `: ${row.note}`}
      </p>
    </div>
  );
}
