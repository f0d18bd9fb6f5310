// A server as it is shipped, a Chromium before it, and somebody who is signed in.
import { type Browser, chromium } from '@playwright/test';
import { findChromium, launchArguments, unpackChromium } from '../../test/support/browser-chromium.ts';
import { callApi } from '../ground.ts';
import { openStage, type Stage } from '../process/stage.ts';

interface BrowserStage {
  stage: Stage;
  browser: Browser;
  /** `name=value`, of a creator in the space. */
  enter(spaceId: string): Promise<string>;
}

const signUp = async ({ server }: Stage): Promise<string> => {
  const response = await fetch(`${server.origin}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.com', password: 'correct-horse-1' }),
  });
  const cookie = response.headers.getSetCookie()[0];
  if (!response.ok || cookie === undefined) throw new Error(`signing up answered ${response.status}`);
  return cookie.split(';')[0] as string;
};

/** All of it goes when the work is done. */
export const withBrowser = async (work: (stage: BrowserStage) => Promise<void>): Promise<void> => {
  const found = findChromium();
  if (found === undefined)
    throw new Error('No Chromium for this machine. Install one, or set ROWHOUSE_CHROMIUM to its path.');
  if (found.packed) await unpackChromium();
  const stage = await openStage();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void stage.close().finally(() => process.exit(130)));
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    args: launchArguments,
    env: { ...(process.env as Record<string, string>), ...found.env },
  });
  try {
    const enter = async (spaceId: string): Promise<string> => {
      const cookie = await signUp(stage);
      await callApi(stage, 'POST', `/space/${spaceId}/invitation/email`, {
        emails: ['bench@example.com'],
        role: 'creator',
      });
      return cookie;
    };
    await work({ stage, browser, enter });
  } finally {
    await browser.close();
    await stage.close();
  }
};
