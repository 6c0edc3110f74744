"use client";

import { Card, ToggleGroup } from "@nereid/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTheme } from "next-themes";
import { useTRPC } from "../../lib/trpc.tsx";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { SettingsFrame } from "./settings-frame.tsx";
import { useChange } from "./use-change.ts";

const THEMES = [
  { value: "dark", label: "Dark" },
  { value: "light", label: "Light" },
  { value: "system", label: "As the system" },
] as const;

const DENSITIES = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact" },
] as const;

/** How the dashboard looks to its reader: colours in this browser, density wherever they sign in. */
export function AppearancePage() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useChange();
  const hydrated = useHydrated();
  const { theme, setTheme } = useTheme();
  const chosen = useQuery(trpc.settings.preferences.queryOptions());
  const save = useMutation(
    trpc.settings.savePreferences.mutationOptions({
      ...change,
      onSuccess: (kept) => queryClient.setQueryData(trpc.settings.preferences.queryKey(), kept),
    }),
  );
  const current = THEMES.find(({ value }) => value === theme)?.value ?? "system";
  return (
    <SettingsFrame current="appearance">
      <Card title="Appearance" hint="Colours are kept in this browser, the rest with your account.">
        <div className="space-y-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p>Colours</p>
            <ToggleGroup
              label="Colours"
              value={hydrated ? current : "system"}
              options={THEMES}
              onChange={(next) => setTheme(next)}
            />
          </div>
          <div className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
            <p>
              Density{" "}
              <span className="block text-[0.857rem] text-ink-soft">Compact shows more rows on the same screen.</span>
            </p>
            <ToggleGroup
              label="Density"
              value={chosen.data?.density ?? "comfortable"}
              options={DENSITIES}
              onChange={(density) => save.mutate({ density })}
            />
          </div>
        </div>
      </Card>
    </SettingsFrame>
  );
}
