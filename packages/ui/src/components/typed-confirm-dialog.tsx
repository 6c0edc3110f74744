"use client";

import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";

export interface TypedConfirmDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** What will be lost, with the object's name. */
  readonly children: ReactNode;
  /** What has to be typed. */
  readonly name: string;
  /** The words of the button that does it. */
  readonly action: string;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
}

/** Asks before something that cannot be taken back: the name has to be typed. */
export function TypedConfirmDialog(props: TypedConfirmDialogProps) {
  const { open, onOpenChange, title, children, name, action, busy = false, onConfirm } = props;
  const [typed, setTyped] = useState("");
  const matches = typed === name;
  const change = (next: boolean) => {
    setTyped("");
    onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={title}
      footer={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button tone="danger" type="submit" form="typed-confirm" busy={busy} disabled={!matches}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id="typed-confirm"
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (matches && !busy) onConfirm();
        }}
      >
        <div className="space-y-2 text-ink-soft">{children}</div>
        <Field
          label={`Type ${name} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className="font-mono"
        />
      </form>
    </Dialog>
  );
}
