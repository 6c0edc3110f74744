import type { Metadata } from "next";
import { AppearancePage } from "../../../../features/settings/appearance-page.tsx";

export const metadata: Metadata = { title: "Appearance · Settings" };

export default function Page() {
  return <AppearancePage />;
}
