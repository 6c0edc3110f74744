import type { ShadowDisagreement, ShadowStatus } from "@nereid/client";
import { Badge, formatDuration, formatNumber, formatShare, StatTile, Table, Td, Th, Tr } from "@nereid/ui";
import { LocalTime } from "../audit/local-time.tsx";
import { differenceText, dropTexts, figure, inputText, placeText, sideText, targetText } from "./shadow-words.ts";

/** What came of the mirrored requests so far. */
export function ShadowFigures({ shadow }: { readonly shadow: ShadowStatus }) {
  const { compared, agreed, mirrored, failed, top1, latency, dropped } = shadow;
  const left = dropTexts(dropped);
  return (
    <>
      <p className="border-b px-4 py-2.5 text-[0.857rem] text-ink-soft">
        {formatNumber(shadow.percent)} %{" "}
        {shadow.requests === "all" ? "of all requests" : "of the requests that name no version"} to{" "}
        <span className="text-ink [overflow-wrap:anywhere]">{targetText(shadow.target)}</span>, since{" "}
        <LocalTime at={new Date(shadow.startedAt)} />. Two numbers agree within {figure(shadow.absolute)} and{" "}
        {figure(shadow.relative * 100)} %.
      </p>
      <dl className="grid grid-cols-2 gap-px bg-line sm:grid-cols-3 xl:grid-cols-6">
        <StatTile label="Mirrored" value={formatNumber(mirrored)} note={`${formatNumber(compared)} compared`} />
        <StatTile
          label="Agreed"
          value={formatShare(compared === 0 ? null : agreed / compared)}
          note={`${formatNumber(compared - agreed)} did not`}
          alarming={agreed < compared}
        />
        <StatTile
          label="Same top class"
          value={formatShare(top1.of === 0 ? null : top1.same / top1.of)}
          note={top1.of === 0 ? "no vectors of numbers" : `of ${formatNumber(top1.of)} vectors`}
        />
        <StatTile
          label="Largest difference"
          value={compared === 0 ? "–" : figure(shadow.maxAbsolute)}
          note={`relative ${figure(shadow.maxRelative * 100)} %`}
        />
        <StatTile label="Failed" value={formatNumber(failed)} note="only in the shadow" alarming={failed > 0} />
        <StatTile
          label="p99 of the shadow"
          value={formatDuration(latency.shadow?.p99Ms ?? null)}
          note={`the model ${formatDuration(latency.primary?.p99Ms ?? null)}`}
        />
      </dl>
      {failed === 0 ? null : (
        <p className="border-t px-4 py-2.5 text-[0.857rem] text-bad [overflow-wrap:anywhere]">
          Last failure: {shadow.lastFailure}
        </p>
      )}
      {left.length === 0 ? null : (
        <p className="border-t px-4 py-2.5 text-[0.857rem] text-ink-soft">Left out: {left.join(", ")}.</p>
      )}
      <ShadowWorst worst={shadow.worst} compared={compared} />
    </>
  );
}

function ShadowWorst({
  worst,
  compared,
}: {
  readonly worst: readonly ShadowDisagreement[];
  readonly compared: number;
}) {
  if (worst.length === 0) {
    const words =
      compared === 0 ? "Nothing has been compared yet." : "No answer differs, not even within the tolerance.";
    return <p className="border-t px-4 py-3 text-ink-soft">{words}</p>;
  }
  return (
    <div className="border-t">
      <Table label="Requests whose answers differ most">
        <thead>
          <tr>
            <Th>Request</Th>
            <Th>Where</Th>
            <Th numeric>Answer</Th>
            <Th numeric>Shadow</Th>
            <Th numeric>Difference</Th>
            <Th>Inputs</Th>
          </tr>
        </thead>
        <tbody>
          {worst.map((one) => (
            <Tr key={`${one.requestId}\n${one.at}\n${placeText(one)}`}>
              <Td className="whitespace-nowrap">
                <span className="font-mono text-[0.893rem]">{one.requestId === "" ? "no id" : one.requestId}</span>
                <span className="block text-[0.857rem] text-ink-soft">
                  <LocalTime at={new Date(one.at)} />
                </span>
              </Td>
              <Td className="font-mono text-[0.893rem]">{placeText(one)}</Td>
              <Td numeric>{sideText(one.primary)}</Td>
              <Td numeric>{sideText(one.shadow)}</Td>
              <Td numeric>
                {differenceText(one)} {one.agreed ? <Badge>within</Badge> : null}
              </Td>
              <Td className="max-w-80">
                {one.inputs.map((input) => (
                  <span
                    key={input.name}
                    className="block truncate font-mono text-[0.786rem] text-ink-soft"
                    title={inputText(input)}
                  >
                    {inputText(input)}
                  </span>
                ))}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
