import type { ReactNode } from "react";
import { Message } from "./message.tsx";

export interface EmptyStateProps {
  readonly title: string;
  /** What would stand here, and how it gets here. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Nothing there yet: says what would be, and what to do first. */
export function EmptyState(props: EmptyStateProps) {
  return <Message kind="empty" {...props} />;
}
