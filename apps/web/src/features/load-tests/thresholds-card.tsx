import type { LoadTestResult } from "@nereid/services/load-test-report";
import type { LoadTestSpec } from "@nereid/services/load-test-spec";
import { Badge, Card, Table, Td, Th, Tr } from "@nereid/ui";
import { levelWords } from "./load-test-words.ts";

export interface ThresholdsCardProps {
  readonly spec: LoadTestSpec;
  readonly result: LoadTestResult;
}

/** What every level had to keep, and what it did. */
export function ThresholdsCard({ spec, result: { levels, holds } }: ThresholdsCardProps) {
  if (holds === null) return null;
  const wanted = levels[0]?.judgements.map((one) => one.wanted) ?? [];
  const held = levels.filter(({ judgements }) => judgements.every((one) => one.holds));
  const says = holds
    ? "Everything held at every level."
    : `Everything held at ${held.length} of ${levels.length} levels.`;
  return (
    <Card
      flush
      title="What it had to keep"
      hint={says}
      actions={<Badge tone={holds ? "ok" : "bad"}>{holds ? "Held" : "Missed"}</Badge>}
    >
      <Table label="What it had to keep">
        <thead>
          <tr>
            <Th>Level</Th>
            {wanted.map((text) => (
              <Th key={text}>{text}</Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {levels.map(({ level, judgements }) => (
            <Tr key={level}>
              <Td className="whitespace-nowrap">{levelWords(spec.load, level)}</Td>
              {judgements.map((one) => (
                <Td key={one.wanted} className="whitespace-nowrap">
                  <Badge tone={one.holds ? "ok" : "bad"} className="mr-2">
                    {one.holds ? "Held" : "Missed"}
                  </Badge>
                  {one.measured}
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
