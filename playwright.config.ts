import { defineConfig } from '@playwright/test';
import { findChromium, launchArguments } from './test/support/browser-chromium.ts';
import { withAllCases } from './test/support/cases.ts';
import { beginnings, titlesOfPart } from './test/support/long-run.ts';
import { proofOnly } from './test/support/proof-only.ts';

const chromium = findChromium();

const { grep, grepInvert } = titlesOfPart();

/** Of every screen. */
const withPictures = process.env['ROWHOUSE_SCREENS'] !== undefined;

export default defineConfig({
  testDir: 'test/browser',
  testMatch: '**/*.test.ts',
  ...(grep === undefined || withPictures ? {} : { grep }),
  grepInvert: withPictures ? [] : [...grepInvert, ...(withAllCases ? [] : beginnings(proofOnly))],
  globalSetup: './test/support/browser-setup.ts',
  fullyParallel: true,
  // A test waits for the page more than it computes: a third one uses the time.
  workers: 3,
  // What passes the second time only is a defect of the app or of the test. CI tries it again all the same, and names it at the end: three runs of five had one such
  // test, a different one each time.
  retries: process.env['CI'] === undefined ? 0 : 1,
  // Nothing here is about how quick a busy machine is.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    baseURL: process.env['ROWHOUSE_BROWSER_ORIGIN'] ?? 'http://127.0.0.1:3000',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    trace: 'off',
    screenshot: 'only-on-failure',
    // What fades and slides would only be waited for.
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1_280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions:
      chromium === undefined
        ? {}
        : {
            executablePath: chromium.executablePath,
            args: launchArguments,
            env: { ...(process.env as Record<string, string>), ...chromium.env },
          },
  },
});
