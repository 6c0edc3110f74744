"use client";

import { Banner, Button, formatClock } from "@nereid/ui";
import Link from "../../lib/link.tsx";
import { type LiveFacts, liveNotice } from "./live-notice.ts";

/** Says so when the figures below are not live, and since when. Nothing while they are. */
export function LiveBanner({ facts, onRetry }: { readonly facts: LiveFacts; readonly onRetry: () => void }) {
  const notice = liveNotice(facts);
  switch (notice.kind) {
    case "none":
      return null;
    case "data-plane-down":
      return (
        <Banner tone="bad">
          <strong className="font-semibold">
            Data plane unreachable since {formatClock(Math.floor(notice.sinceMs / 1000))}
          </strong>
          , reconnecting. Figures are from before.
        </Banner>
      );
    case "reconnecting":
      return <Banner tone="warn">Connection to the dashboard lost, reconnecting. Figures are from before.</Banner>;
    case "ended":
      return (
        <Banner tone="warn">
          <span className="mr-3">
            {notice.signedOut ? "Your session has ended." : "The live figures have stopped."}
          </span>
          {notice.signedOut ? (
            <Link href="/sign-in" className="font-medium underline">
              Sign in again
            </Link>
          ) : (
            <Button size="small" onClick={onRetry}>
              Start again
            </Button>
          )}
        </Banner>
      );
  }
}
