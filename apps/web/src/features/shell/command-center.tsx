"use client";

import { Button, CommandPalette, Dialog, Kbd, type PaletteGroup } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  Bookmark,
  BookmarkPlus,
  Boxes,
  Clock,
  Keyboard,
  Link2,
  Moon,
  Search,
  Settings2,
  Sun,
} from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTheme } from "next-themes";
import { useEffect, useEffectEvent, useState } from "react";
import { toast } from "sonner";
import { useTRPC } from "../../lib/trpc.tsx";
import { RANGES } from "../latency/search-params.ts";
import { modelPath } from "../models/model-name-cell.tsx";
import { UnloadDialog } from "../models/unload-dialog.tsx";
import { useModelActions } from "../models/use-model-actions.ts";
import { usePreferences } from "../settings/preferences-context.tsx";
import { ROUTES } from "./routes.ts";
import { SaveViewDialog } from "./save-view-dialog.tsx";
import { useSession } from "./session-context.tsx";
import { useShortcuts } from "./use-shortcuts.ts";
import { useViews } from "./use-views.ts";

const GO_TO: Readonly<Record<string, string>> = {
  "/": "o",
  "/models": "m",
  "/deploy": "d",
  "/rollouts": "r",
  "/load-tests": "t",
  "/tuner": "u",
  "/experiments": "x",
  "/alerts": "l",
  "/events": "e",
  "/diagnose": "i",
  "/nodes": "n",
  "/audit": "a",
  "/settings": "s",
};

/** The search field of the frame: places, models, actions, by name or by key. */
export function CommandCenter() {
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const trpc = useTRPC();
  const { permissions } = useSession();
  const { setTheme } = useTheme();
  const [open, setOpen] = useState(false);
  const [help, setHelp] = useState(false);
  const { preferences, save } = usePreferences();
  const single = preferences.shortcuts;
  const views = useViews().list.data ?? [];
  const [saving, setSaving] = useState(false);
  const models = useQuery(trpc.models.list.queryOptions(undefined, { enabled: open }));
  const actions = useModelActions();
  const [unloading, setUnloading] = useState<string | null>(null);

  const toggle = useEffectEvent(() => setOpen(!open));
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      toggle();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  useShortcuts(
    [
      { keys: "?", run: () => setHelp(true) },
      ...ROUTES.map(({ path }) => ({ keys: `g ${GO_TO[path]}`, run: () => router.push(path) })),
    ],
    single,
  );

  const setRange = (range: string) => {
    const next = new URLSearchParams(params);
    next.set("range", range);
    router.replace(`${pathname}?${next}`);
  };
  const copyLink = () =>
    navigator.clipboard.writeText(window.location.href).then(
      () => toast.success("The link to this view is copied"),
      () => toast.error("The browser did not allow copying"),
    );

  const groups: PaletteGroup[] = [
    {
      heading: "Go to",
      items: ROUTES.map(({ path, title, Icon }) => ({
        id: `go ${path}`,
        label: title,
        icon: <Icon aria-hidden />,
        note: <Kbd>g {GO_TO[path]}</Kbd>,
        onSelect: () => router.push(path),
      })),
    },
    {
      heading: "Models",
      items: (models.data ?? []).flatMap(({ name, versions }) => {
        const loaded = versions.some(({ state }) => state === "READY");
        return [
          {
            id: `model ${name}`,
            label: name,
            icon: <Boxes aria-hidden />,
            onSelect: () => router.push(modelPath(name)),
          },
          {
            id: `config ${name}`,
            label: `${name}: configuration`,
            icon: <Settings2 aria-hidden />,
            onSelect: () => router.push(`${modelPath(name)}/config`),
          },
          loaded
            ? {
                id: `unload ${name}`,
                label: `Unload ${name} …`,
                icon: <ArrowDownToLine aria-hidden />,
                disabled: !permissions.includes("model.unload"),
                ...(!permissions.includes("model.unload") && { note: "your role may not" }),
                onSelect: () => setUnloading(name),
              }
            : {
                id: `load ${name}`,
                label: `Load ${name}`,
                icon: <ArrowUpFromLine aria-hidden />,
                disabled: !permissions.includes("model.load"),
                ...(!permissions.includes("model.load") && { note: "your role may not" }),
                onSelect: () => actions.load(name),
              },
        ];
      }),
    },
    {
      heading: "Saved views",
      items: views.map(({ id, name, path }) => ({
        id: `view ${id}`,
        label: name,
        icon: <Bookmark aria-hidden />,
        onSelect: () => router.push(path),
      })),
    },
    {
      heading: "View",
      items: [
        {
          id: "save view",
          label: "Save this view …",
          icon: <BookmarkPlus aria-hidden />,
          onSelect: () => setSaving(true),
        },
        ...RANGES.map((range) => ({
          id: `range ${range}`,
          label: `Time range: ${range}`,
          icon: <Clock aria-hidden />,
          onSelect: () => setRange(range),
        })),
        { id: "theme light", label: "Theme: light", icon: <Sun aria-hidden />, onSelect: () => setTheme("light") },
        { id: "theme dark", label: "Theme: dark", icon: <Moon aria-hidden />, onSelect: () => setTheme("dark") },
        { id: "link", label: "Copy link to this view", icon: <Link2 aria-hidden />, onSelect: () => void copyLink() },
        {
          id: "keys",
          label: "Keyboard shortcuts",
          icon: <Keyboard aria-hidden />,
          note: <Kbd>?</Kbd>,
          onSelect: () => setHelp(true),
        },
      ],
    },
  ];

  return (
    <>
      <Button tone="quiet" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        <Search aria-hidden className="!size-4" />
        <span className="sr-only md:not-sr-only">Search</span>
        <span className="sr-only">and commands</span>
        <span aria-hidden className="hidden md:inline">
          <Kbd>Ctrl K</Kbd>
        </span>
      </Button>
      <CommandPalette open={open} onOpenChange={setOpen} groups={groups.filter(({ items }) => items.length > 0)} />
      <SaveViewDialog open={saving} onOpenChange={setSaving} />
      <Dialog open={help} onOpenChange={setHelp} title="Keyboard shortcuts">
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
          <dt>
            <Kbd>Ctrl K</Kbd>
          </dt>
          <dd>Search and commands</dd>
          {ROUTES.map(({ path, title }) => (
            <div key={path} className="contents">
              <dt>
                <Kbd>g {GO_TO[path]}</Kbd>
              </dt>
              <dd>{title}</dd>
            </div>
          ))}
          <dt>
            <Kbd>?</Kbd>
          </dt>
          <dd>This list</dd>
        </dl>
        <Button className="mt-4" aria-pressed={single} onClick={() => save({ shortcuts: !single })}>
          {single ? "Turn single-key shortcuts off" : "Turn single-key shortcuts on"}
        </Button>
      </Dialog>
      <UnloadDialog
        model={unloading}
        requestsPerSecond={null}
        onClose={() => setUnloading(null)}
        onConfirm={actions.unload}
      />
    </>
  );
}
