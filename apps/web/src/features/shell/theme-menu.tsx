"use client";

import { Button, Menu, MenuRadio } from "@nereid/ui";
import { Monitor, Moon, Sun, SunMoon } from "lucide-react";
import { useTheme } from "next-themes";
import { useHydrated } from "../../lib/use-hydrated.ts";

const OPTIONS = [
  { value: "dark", label: "Dark", Icon: Moon },
  { value: "light", label: "Light", Icon: Sun },
  { value: "system", label: "As the system", Icon: Monitor },
];

export function ThemeMenu() {
  const { theme, setTheme } = useTheme();
  const hydrated = useHydrated();
  return (
    <Menu
      trigger={
        <Button tone="quiet" size="icon" aria-label="Colour theme">
          <SunMoon aria-hidden />
        </Button>
      }
    >
      <MenuRadio
        value={hydrated ? (theme ?? "system") : "system"}
        onChange={setTheme}
        options={OPTIONS.map(({ value, label, Icon }) => ({
          value,
          label: (
            <>
              <Icon aria-hidden />
              {label}
            </>
          ),
        }))}
      />
    </Menu>
  );
}
