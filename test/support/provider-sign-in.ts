// Signing in through a provider of the tests, as a browser does it.
import { caller, type World } from './world.ts';
import { newBrowser } from './identity-provider.ts';

type Browser = ReturnType<typeof newBrowser>;

export const beginOf = ({ baseUrl }: Pick<World, 'baseUrl'>, provider: string, redirect?: string): string =>
  `${baseUrl}/auth/oidc/${provider}${redirect === undefined ? '' : `?${new URLSearchParams({ redirect })}`}`;

/** `problem`: the word of the page that the browser was led to; null when somebody is signed in. */
export const enterThrough = async (
  world: Pick<World, 'baseUrl' | 'origin'>,
  provider: string,
  subject: string,
  browser: Browser = newBrowser(),
) => {
  const callback = await browser.travel(beginOf(world, provider), subject);
  let end = callback;
  if (callback.pathname.endsWith('/callback')) {
    const response = await browser.visit(callback);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the callback answered ${response.status}: ${await response.text()}`);
    end = new URL(location);
  }
  const cookie = browser.cookiesOf(world.origin);
  const call = caller({ baseUrl: world.baseUrl, headers: { cookie } });
  return { browser, end, cookie, call, problem: end.searchParams.get('problem') };
};
