"use client";

import { Card, formatDateTime, knownZones, Select, ToggleGroup } from "@nereid/ui";
import { useTheme } from "next-themes";
import { type ReactNode, useMemo } from "react";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { HISTORY_RANGES } from "../latency/search-params.ts";
import { usePreferences } from "./preferences-context.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

const THEMES = [
  { value: "dark", label: "Dark" },
  { value: "light", label: "Light" },
  { value: "system", label: "As the system" },
] as const;

const DENSITIES = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact" },
] as const;

const SWITCH = [
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
] as const;

/** How the dashboard looks to its reader: colours in this browser, the rest wherever they sign in. */
export function AppearancePage() {
  const { preferences, save } = usePreferences();
  const { density, range, shortcuts } = preferences;
  const hydrated = useHydrated();
  const { theme, setTheme } = useTheme();
  const current = THEMES.find(({ value }) => value === theme)?.value ?? "system";
  return (
    <SettingsFrame current="appearance">
      <Card title="Appearance" hint="Colours are kept in this browser, the rest with your account.">
        <div className="divide-y">
          <Choice name="Colours">
            <ToggleGroup
              label="Colours"
              value={hydrated ? current : "system"}
              options={THEMES}
              onChange={(next) => setTheme(next)}
            />
          </Choice>
          <Choice name="Density" hint="Compact shows more rows on the same screen.">
            <ToggleGroup
              label="Density"
              value={density}
              options={DENSITIES}
              onChange={(next) => save({ density: next })}
            />
          </Choice>
          <ZoneChoice />
          <Choice name="Time range" hint="Of pages whose address has none. A page without it takes the nearest it has.">
            <Select
              aria-label="Time range"
              value={range ?? ""}
              onChange={({ target }) => save({ range: HISTORY_RANGES.find((one) => one === target.value) ?? null })}
            >
              <option value="">Each page’s own</option>
              {HISTORY_RANGES.map((one) => (
                <option key={one} value={one}>
                  Last {one}
                </option>
              ))}
            </Select>
          </Choice>
          <Choice name="Keyboard shortcuts" hint="Single keys, such as g m. Ctrl K opens the search either way.">
            <ToggleGroup
              label="Keyboard shortcuts"
              value={shortcuts ? "on" : "off"}
              options={SWITCH}
              onChange={(next) => save({ shortcuts: next === "on" })}
            />
          </Choice>
        </div>
      </Card>
    </SettingsFrame>
  );
}

/** The zone of every time that is shown or typed, with the time in it. */
function ZoneChoice() {
  const { preferences, save } = usePreferences();
  const hydrated = useHydrated();
  const zone = preferences.timeZone;
  // The server's zones may be others than the browser's.
  const zones = useMemo(() => (hydrated ? knownZones() : ["UTC"]), [hydrated]);
  const known = zone === "browser" || zones.includes(zone) ? zones : [zone, ...zones];
  return (
    <Choice name="Time zone" hint={hydrated ? `Now it is ${formatDateTime(new Date())}.` : "Of all times."}>
      <Select aria-label="Time zone" value={zone} onChange={({ target }) => save({ timeZone: target.value })}>
        <option value="browser">As the browser</option>
        {known.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
    </Choice>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

function Choice({ name, hint, children }: ChoiceProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-4 first:pt-0 last:pb-0">
      <p>
        {name}
        {hint === undefined ? null : <span className="block text-[0.857rem] text-ink-soft">{hint}</span>}
      </p>
      {children}
    </div>
  );
}
