import { Wordmark } from "@nereid/ui";
import type { ReactNode } from "react";
import { DepthLines } from "../shell/depth-lines.tsx";
import { ThemeMenu } from "../shell/theme-menu.tsx";

/** The page around the sign-in and the first run. */
export function AuthFrame({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(18rem,26rem)_1fr]">
      <aside
        aria-label="About"
        className="relative hidden overflow-hidden bg-linear-to-b from-(--nav-top) to-(--nav-bottom) p-8 text-white lg:block"
      >
        <Wordmark className="text-lg" />
        <p className="mt-24 max-w-64 text-2xl leading-snug tracking-tight">
          See where every millisecond of a request goes.
        </p>
        <DepthLines />
      </aside>
      <div className="relative flex flex-col">
        <header className="flex items-center justify-between p-3">
          <Wordmark className="lg:invisible" />
          <ThemeMenu />
        </header>
        <main className="mx-auto flex w-full max-w-sm grow flex-col justify-center px-5 pb-24">
          <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
          <p className="mt-1.5 mb-6 text-ink-soft">{lead}</p>
          {children}
        </main>
      </div>
    </div>
  );
}
