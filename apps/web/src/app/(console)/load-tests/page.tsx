import type { Metadata } from "next";
import { LoadTestsPage } from "../../../features/load-tests/load-tests-page.tsx";

export const metadata: Metadata = { title: "Load tests" };

export default function Page() {
  return <LoadTestsPage />;
}
