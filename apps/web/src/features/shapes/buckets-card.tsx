import type { VersionShapes } from "@nereid/client";
import { Card, formatNumber, formatShare, Message, Table, Td, Th, Tr } from "@nereid/ui";
import { freeDimensions } from "./shape-words.ts";
import { suggestBuckets } from "./suggest-buckets.ts";

/** Lengths to pad to, from what was observed. */
export function BucketsCard({ version }: { readonly version: VersionShapes }) {
  const plans = freeDimensions(version).flatMap(({ input, axis, observed }) => {
    const plan = suggestBuckets(observed);
    return plan === null ? [] : [{ input, axis, observed, plan }];
  });
  return (
    <Card
      flush={plans.length > 0}
      title="Suggested buckets"
      hint="Requests of one shape share a batch. Padding in the client to a few lengths lets more of them meet."
    >
      {plans.length === 0 ? (
        <Message kind="empty" title="No dimension changes">
          All inputs have fixed shapes, so every request can share a batch with every other.
        </Message>
      ) : (
        <Table label="Suggested buckets by input and dimension">
          <thead>
            <tr>
              <Th>Input</Th>
              <Th>Dimension</Th>
              <Th>Seen</Th>
              <Th>Pad to</Th>
              <Th>Limit</Th>
              <Th numeric>Padding</Th>
              <Th numeric>With the limit alone</Th>
            </tr>
          </thead>
          <tbody>
            {plans.map(({ input, axis, observed, plan }) => {
              const values = observed.map(({ value }) => value);
              return (
                <Tr key={`${input}.${axis}`}>
                  <Td className="font-mono">{input}</Td>
                  <Td>{axis + 1}</Td>
                  <Td className="whitespace-nowrap">{lengthWords(values)}</Td>
                  <Td className="font-mono">{plan.edges.join(", ")}</Td>
                  <Td className="font-mono">{plan.edges.at(-1)}</Td>
                  <Td numeric>{formatShare(plan.waste)}</Td>
                  <Td numeric>{formatShare(plan.wasteOfOne)}</Td>
                </Tr>
              );
            })}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

function lengthWords(values: readonly number[]): string {
  const lengths = new Set(values).size;
  const [only] = values;
  if (lengths === 1 && only !== undefined) return `1 length, ${only}`;
  return `${formatNumber(lengths)} lengths, ${Math.min(...values)} to ${Math.max(...values)}`;
}
