import type { LoadLevel } from "@nereid/services/load-test-report";
import type { LoadTestSpec } from "@nereid/services/load-test-spec";
import { Badge, Card, formatDuration, formatNumber, formatShare, Table, Td, Th, Tr } from "@nereid/ui";
import { levelWords } from "./load-test-words.ts";

export interface LevelsCardProps {
  readonly spec: LoadTestSpec;
  readonly levels: readonly LoadLevel[];
  /** The highest that was good, where the test looked for it. */
  readonly best: number | null;
}

interface Column {
  readonly title: string;
  readonly hint?: string;
  readonly of: (level: LoadLevel) => string;
}

const ms = formatDuration;

const COLUMNS: readonly Column[] = [
  { title: "Answered / s", of: ({ client }) => formatNumber(client.throughput) },
  {
    title: "Good / s",
    hint: "Answered well, and in time where a time was given",
    of: ({ client }) => `${formatNumber(client.goodput)} (${formatShare(client.goodShare)})`,
  },
  { title: "Failed", of: ({ client }) => formatNumber(client.failed) },
  { title: "Late", hint: "Sent late by the generator's own fault", of: ({ client }) => formatNumber(client.late) },
  { title: "Mean", of: ({ client }) => ms(client.averageMs) },
  { title: "p50", of: ({ client }) => ms(client.p50) },
  { title: "p90", of: ({ client }) => ms(client.p90) },
  { title: "p95", of: ({ client }) => ms(client.p95) },
  { title: "p99", of: ({ client }) => ms(client.p99) },
  { title: "p99.9", of: ({ client }) => ms(client.p999) },
  { title: "Most", of: ({ client }) => ms(client.maxMs) },
  { title: "Queue", hint: "Mean on the server", of: ({ server }) => ms(server?.queueMs ?? null) },
  { title: "Input", hint: "Compute input, mean on the server", of: ({ server }) => ms(server?.computeInputMs ?? null) },
  { title: "Infer", hint: "Compute infer, mean on the server", of: ({ server }) => ms(server?.computeInferMs ?? null) },
  {
    title: "Output",
    hint: "Compute output, mean on the server",
    of: ({ server }) => ms(server?.computeOutputMs ?? null),
  },
  {
    title: "Batch",
    hint: "Inferences of an execution, mean",
    of: ({ server }) => formatNumber(server?.batchMean ?? null),
  },
  { title: "Executions", of: ({ server }) => formatNumber(server?.executions ?? null) },
  {
    title: "Generator",
    hint: "Share of a processor of the busiest generator",
    of: ({ generator }) => formatShare(generator.cpu),
  },
];

/** Every level with its figures: the client's from when requests were due, then the server's, then the generator's. */
export function LevelsCard({ spec, levels, best }: LevelsCardProps) {
  const failures = levels.filter(({ failure }) => failure !== null);
  return (
    <Card
      flush
      title="Levels"
      hint="The client's figures from when requests were due; queue to executions are the server's."
    >
      <Table label="Levels">
        <thead>
          <tr>
            <Th>Level</Th>
            {COLUMNS.map(({ title, hint }) => (
              <Th key={title} numeric title={hint}>
                {title}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {levels.map((level) => (
            <Tr key={level.level}>
              <Td className="whitespace-nowrap">
                {levelWords(spec.load, level.level)}{" "}
                {level.level === best ? <Badge tone="ok">Highest good</Badge> : null}
                {level.whole ? null : <Badge tone="warn">Stopped at {Math.round(level.seconds)} s</Badge>}
              </Td>
              {COLUMNS.map(({ title, of }) => (
                <Td key={title} numeric>
                  {of(level)}
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
      {failures.length === 0 ? null : (
        <ul className="space-y-1 border-t px-4 py-3">
          {failures.map(({ level, failure }) => (
            <li key={level} className="[overflow-wrap:anywhere]">
              <span className="text-ink-soft">First failure at {levelWords(spec.load, level)}:</span> {failure}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
