import { Banner, Button } from "@nereid/ui";
import type { ApplyFailure } from "./use-apply-config.ts";

/** What became of an attempt that failed: what serves now, why, and that the text is still there. */
export function ApplyFailureBanner({
  failure,
  onClose,
}: {
  readonly failure: ApplyFailure;
  readonly onClose: () => void;
}) {
  return (
    <Banner tone="bad">
      <p>
        <strong className="font-semibold">
          {failure.answered
            ? "Not applied. The configuration from before is back, and what was serving goes on serving."
            : "It is not known whether it was applied. The history and the file shown here will tell."}
        </strong>{" "}
        Your text is still here.
      </p>
      <p className="mt-1">{failure.message}</p>
      {failure.fix === null ? null : <p>Try this: {failure.fix}.</p>}
      <Button size="small" className="mt-2" onClick={onClose}>
        Close
      </Button>
    </Banner>
  );
}
