import type { RolloutView } from "@nereid/services";
import { Badge, Card, formatNumber, formatShare, Message, Table, Td, Th, Tr } from "@nereid/ui";
import { candidateWords, evidenceText, figureText, gateName, VERDICT_WORDS } from "./rollout-words.ts";

/** What every gate says of the newest step, with its figures and how sure it is. */
export function GatesCard({ rollout: { readings, baseline, candidate } }: { readonly rollout: RolloutView }) {
  const newest = readings.at(-1);
  return (
    <Card
      flush
      title="Gates"
      hint={
        newest === undefined
          ? "They weigh from the first step on."
          : `Step ${newest.step + 1}. A gate is refuted when the evidence against the ${candidateWords(candidate)} reaches what is needed.`
      }
    >
      {newest === undefined ? (
        <Message kind="empty" title="Nothing was weighed yet" />
      ) : (
        <Table label="Gates of the rollout">
          <thead>
            <tr>
              <Th>Gate</Th>
              <Th>Verdict</Th>
              <Th numeric>Version {baseline}</Th>
              <Th numeric>{candidate.includes("/") ? "Candidate" : `Version ${candidate}`}</Th>
              <Th numeric>Bad share, 95 %</Th>
              <Th numeric>Evidence</Th>
            </tr>
          </thead>
          <tbody>
            {newest.gates.map((gate) => (
              <Tr key={gate.id}>
                <Td className="min-w-64">
                  <p className="font-medium">{gateName(gate.id)}</p>
                  <p className="text-[0.857rem] text-ink-soft [overflow-wrap:anywhere]">{gate.says}</p>
                </Td>
                <Td>
                  <Badge tone={VERDICT_WORDS[gate.verdict].tone}>{VERDICT_WORDS[gate.verdict].text}</Badge>
                </Td>
                <Td numeric>{figureText(gate.baseline, gate.unit)}</Td>
                <Td numeric>{figureText(gate.candidate, gate.unit)}</Td>
                <Td numeric className="whitespace-nowrap">
                  {gate.badShare === null || gate.low === null || gate.high === null ? (
                    "–"
                  ) : (
                    <>
                      {formatShare(gate.badShare)}
                      <span className="block text-[0.857rem] text-ink-soft">
                        {formatShare(gate.low)} to {formatShare(gate.high)} of {formatNumber(gate.requests)}
                      </span>
                    </>
                  )}
                </Td>
                <Td numeric className="whitespace-nowrap">
                  {evidenceText(gate)}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
