"use client";

import { Button, cn, Menu, MenuRadio } from "@nereid/ui";
import { Server } from "lucide-react";
import { useNode } from "./node-context.tsx";
import { nodeState } from "./node-words.ts";

const DOTS = { ok: "bg-ok", warn: "bg-warn", bad: "bg-bad", neutral: "bg-line-strong" } as const;

/** Chooses the node that all pages are about. Not there while there is only one. */
export function NodePicker() {
  const { id, node, choices, choose } = useNode();
  if (choices.length < 2) return null;
  const name = node?.name ?? "unknown";
  return (
    <Menu
      trigger={
        <Button tone="quiet" aria-label={`Node: ${name}`}>
          <Server aria-hidden className="!size-4" />
          <span className="max-w-28 truncate max-sm:sr-only">{name}</span>
        </Button>
      }
    >
      <MenuRadio
        value={id ?? "local"}
        onChange={(next) => choose(next === "local" ? null : next)}
        options={choices.map((choice) => {
          const { tone, label } = nodeState(choice, undefined);
          return {
            value: choice.id,
            label: (
              <>
                <span aria-hidden className={cn("size-2 shrink-0 rounded-full", DOTS[tone])} />
                <span className="max-w-44 truncate">{choice.name}</span>
                <span className="text-[0.786rem] text-ink-soft">
                  {label}
                  {choice.cordoned ? ", cordoned" : ""}
                </span>
              </>
            ),
          };
        })}
      />
    </Menu>
  );
}
