import type { TryOutput } from "@nereid/services";
import { formatNumber, formatShare, Table, Td, Th, Tr } from "@nereid/ui";

/** Rows that are shown as a table. */
const MOST_ROWS = 100;

/** One output: classes with bars, or values with their places. */
export function OutputView({ output }: { readonly output: TryOutput }) {
  const { classes, values, count, name } = output;
  if (classes !== null && classes.length > 0) {
    const most = Math.max(...classes.map(({ value }) => Math.abs(value)));
    return (
      <Table label={`Classes of ${name}`}>
        <thead>
          <tr>
            <Th>Class</Th>
            <Th numeric>Number</Th>
            <Th numeric>Value</Th>
            <Th className="hidden w-1/3 sm:table-cell">
              <span className="sr-only">As a bar</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {classes.map(({ value, index, label }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a batch has the same class again
            <Tr key={place}>
              <Td>{label ?? "no label"}</Td>
              <Td numeric>{index}</Td>
              <Td numeric>{value}</Td>
              <Td className="hidden sm:table-cell">
                <span aria-hidden className="block h-3 rounded-sm bg-raised">
                  <span
                    className="block h-3 rounded-sm bg-accent"
                    style={{ width: most === 0 ? 0 : formatShare(Math.max(0, value) / most).replace(" ", "") }}
                  />
                </span>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    );
  }
  const shown = values.slice(0, MOST_ROWS);
  return (
    <>
      <Table label={`Values of ${name}`} frameClassName="max-h-72 overflow-y-auto">
        <thead>
          <tr>
            <Th>Place</Th>
            <Th numeric={output.datatype !== "BYTES"}>Value</Th>
          </tr>
        </thead>
        <tbody>
          {shown.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a value is known by
            <Tr key={index}>
              <Td className="font-mono text-ink-soft">[{placeOf(index, output.shape).join(", ")}]</Td>
              <Td className="font-mono [overflow-wrap:anywhere]" numeric={output.datatype !== "BYTES"}>
                {String(value)}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {count <= shown.length ? null : (
        <p className="text-[0.857rem] text-ink-soft">
          The first {formatNumber(shown.length)} of {formatNumber(count)} values; the JSON has the first{" "}
          {formatNumber(values.length)}.
        </p>
      )}
    </>
  );
}

/** The place of an element by dimension, row-major. Pure. */
function placeOf(index: number, shape: readonly number[]): number[] {
  const place: number[] = [];
  let rest = index;
  for (const size of shape.toReversed()) {
    place.unshift(size === 0 ? 0 : rest % size);
    rest = size === 0 ? 0 : Math.floor(rest / size);
  }
  return place;
}
