"use client";

import { Card } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { useSession } from "../shell/session-context.tsx";
import { PasswordCard } from "./password-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { TwoFactorCard } from "./two-factor-card.tsx";

/** One's own account: password, second factor, sessions. */
export function AccountPage() {
  const { actor } = useSession();
  const trpc = useTRPC();
  const me = useQuery(trpc.session.me.queryOptions());
  return (
    <SettingsFrame current="account">
      <Card title={actor.name}>
        <p className="text-ink-soft">
          Role: <span className="text-ink">{actor.role}</span>
        </p>
      </Card>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <PasswordCard />
        <TwoFactorCard on={me.data?.twoFactor} onChanged={() => void me.refetch()} />
      </div>
      <SessionsCard />
    </SettingsFrame>
  );
}
