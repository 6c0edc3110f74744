"use client";

import type { Permission } from "@nereid/services";
import { inability } from "@nereid/services/node-abilities";
import { Button, Tooltip } from "@nereid/ui";
import type { ReactNode } from "react";
import { useNode } from "../nodes/node-context.tsx";
import { useSession } from "../shell/session-context.tsx";

export interface GuardedButtonProps {
  readonly permission: Permission;
  /** Why it makes no sense as things stand; null = it does. */
  readonly refusal?: string | null;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** Name of the button where its words are not enough. */
  readonly label?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

const FORBIDDEN = "Your role may look but not change models. An administrator can make you an operator.";

/** Stays visible and focusable when it cannot be used, and says why it does nothing. */
export function GuardedButton({
  permission,
  refusal = null,
  busy = false,
  disabled = false,
  label,
  onClick,
  children,
}: GuardedButtonProps) {
  const allowed = useSession().permissions.includes(permission);
  const { node } = useNode();
  const cannot = node === undefined ? null : inability(node.capabilities, permission);
  const why = allowed ? (cannot === null ? refusal : `Not on this node: ${cannot}.`) : FORBIDDEN;
  if (why === null) {
    return (
      <Button size="small" aria-label={label} busy={busy} disabled={disabled} onClick={onClick}>
        {children}
      </Button>
    );
  }
  return (
    <Tooltip text={why}>
      <Button size="small" aria-label={label} aria-disabled>
        {children}
      </Button>
    </Tooltip>
  );
}
