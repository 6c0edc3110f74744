import type { RolloutView } from "@nereid/services";
import { Badge, Card, formatNumber, formatShare, Table, Td, Th, Tr } from "@nereid/ui";
import { candidateWords, percentOf } from "./rollout-words.ts";

/** The steps with what each still needs, and the weights that are wanted and set. */
export function StepsCard({ rollout }: { readonly rollout: RolloutView }) {
  const { spec, step, phase, readings, wanted, actual, candidate } = rollout;
  const share = (weights: RolloutView["actual"]) => {
    const percent = percentOf(weights, candidate);
    return percent === null ? "–" : formatShare(percent / 100);
  };
  return (
    <Card
      flush
      title="Steps"
      hint={`The ${candidateWords(candidate)}: ${wanted === null ? "nothing is set any more" : `${share(wanted)} wanted`}, ${share(actual)} set on the server`}
    >
      <Table label="Steps of the rollout">
        <thead>
          <tr>
            <Th>Step</Th>
            <Th numeric>Share</Th>
            <Th>State</Th>
            <Th numeric>Seconds</Th>
            <Th numeric>Requests</Th>
          </tr>
        </thead>
        <tbody>
          {spec.steps.map((one, place) => {
            const reading = readings.find((found) => found.step === place);
            const isCurrent = step === place;
            const isDone = phase === "promoted" || (reading !== undefined && !isCurrent);
            return (
              <Tr key={one.percent} aria-current={isCurrent ? "step" : undefined}>
                <Td>{place + 1}</Td>
                <Td numeric>{one.percent} %</Td>
                <Td>
                  <Badge tone={isCurrent ? "busy" : isDone ? "ok" : "neutral"}>
                    {isCurrent ? "Now" : isDone ? "Over" : "To come"}
                  </Badge>
                  {one.manual ? <span className="ml-2 text-[0.857rem] text-ink-soft">waits for a person</span> : null}
                </Td>
                <Td numeric>
                  {reading?.seconds ?? 0} of {one.seconds}
                </Td>
                <Td numeric>
                  {formatNumber(reading?.candidateRequests ?? 0)} of {formatNumber(one.requests)}
                </Td>
              </Tr>
            );
          })}
        </tbody>
      </Table>
    </Card>
  );
}
