export interface SpacerRowProps {
  /** Pixels. */
  readonly height: number;
  readonly columns: number;
}

/** Stands in a table for rows that are not drawn. */
export function SpacerRow({ height, columns }: SpacerRowProps) {
  return height === 0 ? null : (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height }} className="p-0" />
    </tr>
  );
}
