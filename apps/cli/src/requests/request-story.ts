import type { FlightRecord } from "@nereid/client";
import { sizeText } from "../models/size-text.ts";
import { type Column, textTable } from "../text-table.ts";
import { nameOf, plain, timeText } from "./request-words.ts";

const STEP_COLUMNS: readonly Column[] = [
  { title: "step" },
  { title: "began after", numeric: true },
  { title: "waited", numeric: true },
  { title: "computed", numeric: true },
  { title: "copied", numeric: true },
];

/** All that is remembered of one request, for a terminal. Pure. */
export function requestStory(record: FlightRecord): string[] {
  const { id, serial, model, version, atMs, causes, queue, batch, instance, bytes, shapes, sequence } = record;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["came", `${new Date(atMs).toISOString()}, remembered as ${causes.join(", ")}`],
    ["outcome", outcomeText(record)],
    ["sequence", sequence],
    ["queue", `${queue.position} waited before it; waited ${timeText(queue.waitedNs)}; priority ${queue.priority}`],
    ["batch", batch && batchText(batch)],
    ["mates", batch && matesText(batch)],
    ["instance", instance && `${instance.name}, device ${instance.device}`],
    ["phases", phasesText(record)],
    ["bytes", `${sizeText(bytes.input)} in, ${sizeText(bytes.output)} out, ${sizeText(bytes.copied)} copied`],
    ["inputs", shapes.map(({ name, shape }) => `${plain(name)} [${shape.join(", ")}]`).join(", ") || undefined],
  ];
  return [
    `request ${nameOf(record)}${id === "" ? "" : ` (#${serial})`} to ${model}/${version}`,
    ...facts.flatMap(([name, text]) => (text === undefined ? [] : [`  ${name.padEnd(9)} ${text}`])),
    ...stepLines(record).map((line) => `  ${line}`),
  ];
}

function outcomeText({ error, outcome, totalNs, cached }: FlightRecord): string {
  const took = `after ${timeText(totalNs)}`;
  if (error !== undefined) return `${outcome} ${took}, ${error.code}: ${plain(error.message)}`;
  return `${outcome} ${took}${cached === true ? ", from the response cache" : ""}`;
}

function batchText({ serial, requests, size, reason, leftWaiting }: NonNullable<FlightRecord["batch"]>): string {
  const sent = `sent because: ${reason.replaceAll("-", " ")}`;
  return `#${serial} of ${count(requests, "request")}, size ${size}; ${sent}; ${leftWaiting} left waiting`;
}

function matesText({ requests, mates }: NonNullable<FlightRecord["batch"]>): string | undefined {
  if (mates.length === 0) return undefined;
  const unnamed = requests - 1 - mates.length;
  return mates.map(plain).join(", ") + (unnamed > 0 ? ` and ${unnamed} more` : "");
}

function phasesText({ phases, writeNs }: FlightRecord): string | undefined {
  const parts = [
    ...(phases === undefined
      ? []
      : [
          `input ${timeText(phases.inputNs)}`,
          `execution ${timeText(phases.inferNs)}`,
          `output ${timeText(phases.outputNs)}`,
        ]),
    ...(writeNs === undefined ? [] : [`sending ${timeText(writeNs)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}

function stepLines({ steps = [] }: FlightRecord): string[] {
  if (steps.length === 0) return [];
  const rows = steps.map(({ model, version, startedNs, queueNs, computeNs, copiedBytes }) => [
    `${model}/${version}`,
    timeText(startedNs),
    timeText(queueNs),
    timeText(computeNs),
    sizeText(copiedBytes),
  ]);
  return textTable(STEP_COLUMNS, rows);
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
