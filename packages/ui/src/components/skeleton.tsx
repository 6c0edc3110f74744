import type { ComponentProps } from "react";
import { cn } from "../cn.ts";

/** Holds the place of something that is on its way. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return <div aria-hidden className={cn("animate-pulse rounded-md bg-raised", className)} {...props} />;
}
