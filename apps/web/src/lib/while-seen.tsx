"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";

export interface WhileSeenProps {
  readonly children: ReactNode;
}

/** Redraws its children only while they are on the screen, or nearly: charts below the fold go on when they are scrolled to. */
export function WhileSeen({ children }: WhileSeenProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(true);
  const [held, setHeld] = useState(children);
  if (seen && held !== children) setHeld(children);
  useEffect(() => {
    if (frame.current === null) return;
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting ?? true), {
      rootMargin: "100px",
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return <div ref={frame}>{held}</div>;
}
