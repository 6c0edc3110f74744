import { defineConfig, devices } from "@playwright/test";

const quietBrowser = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--font-render-hinting=none",
  "--force-color-profile=srgb",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
];

const { CHROMIUM_PATH } = process.env;

export default defineConfig({
  testDir: "e2e",
  timeout: 180_000,
  // Tens of megabytes are hashed, sent and tried on two cores; what is expected is a condition, not a speed.
  expect: { timeout: 30_000 },
  workers: 1,
  // A second try tells a slow machine from a defect; `npm test` names every test that needed one.
  retries: 1,
  globalSetup: "./e2e/start-product.ts",
  // The first run makes the administrator, so everything else comes after it; among each other the rest has no order.
  projects: [
    { name: "first run", testMatch: "first-run.spec.ts" },
    { name: "product", testIgnore: "first-run.spec.ts", dependencies: ["first run"] },
  ],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    actionTimeout: 30_000,
    // Recording costs as much as the browser itself: the second try of what failed has one.
    trace: "on-first-retry",
    launchOptions: {
      args: process.getuid?.() === 0 ? [...quietBrowser, "--no-sandbox"] : quietBrowser,
      ...(CHROMIUM_PATH !== undefined && { executablePath: CHROMIUM_PATH }),
    },
  },
});
