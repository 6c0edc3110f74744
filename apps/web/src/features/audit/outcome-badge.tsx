import { Badge } from "@nereid/ui";
import { Check, X } from "lucide-react";

export function OutcomeBadge({ outcome }: { readonly outcome: string }) {
  const failed = outcome === "failed";
  return (
    <Badge tone={failed ? "bad" : "ok"}>
      {failed ? <X aria-hidden /> : <Check aria-hidden />}
      {failed ? "Failed" : "Done"}
    </Badge>
  );
}
