// Playwright's `expect` looks at a page after 20, 70, 170 and 270 ms, and from then on every half second only, unless it is given less
// than 2.5 seconds: then every 100 ms. Most of what is waited for takes 300 ms to a second, so tests spent much of their time on
// what was long there. Here it is given a little time, again and again.
//
// And each time that something is not there yet, or not visible as the cells of a canvas never are, it describes the whole page as screen readers meet it, in
// case that this is the last time: a sixth of the work of the page. So what is waited for most is asked for in ways that do not describe it; only
// the failure in the end is.
import { expect as plain, type Locator } from '@playwright/test';

const patience = 30_000;
const quick = plain.configure({ timeout: 2_400 });

type Matchers = Record<string, (...values: unknown[]) => Promise<void>> & { not: Matchers };

type State = NonNullable<NonNullable<Parameters<Locator['waitFor']>[0]>['state']>;

/** What `waitFor` knows as well, and its opposite. */
const states: Record<string, readonly [State, State]> = {
  toBeVisible: ['visible', 'hidden'],
  toBeHidden: ['hidden', 'visible'],
  toBeAttached: ['attached', 'detached'],
};

/** In these milliseconds `waitFor` looks five times. */
const turn = 300;

const isText = (value: unknown): boolean => typeof value === 'string' || value instanceof RegExp;

const plainly = async (subject: object, isNot: boolean, name: string, values: unknown[]): Promise<void> => {
  const matchers = quick(subject) as unknown as Matchers;
  await (isNot ? matchers.not : matchers)[name]?.(...values);
};

/** Looks once more, or throws. */
type Look = () => Promise<void>;

const lookFor = (subject: object, isNot: boolean, name: string, values: unknown[]): Look => {
  const asked = (): Promise<void> => plainly(subject, isNot, name, values);
  if (!('waitFor' in subject)) return asked;
  const locator = subject as Locator;
  const state = values.length === 0 ? states[name]?.[isNot ? 1 : 0] : undefined;
  if (state !== undefined) return () => locator.waitFor({ state, timeout: turn });
  if (isNot) return asked;
  // One element with this text, and no other: of a list nothing is described.
  if (name === 'toHaveText' && values.length === 1 && isText(values[0]))
    return () => plainly(subject, false, name, [values]);
  if (name === 'toHaveAttribute' && values.length === 2 && typeof values[1] === 'string') {
    const withIt = locator.and(locator.page().locator(`[${values[0] as string}=${JSON.stringify(values[1])}]`));
    return () => plainly(withIt, false, 'toHaveCount', [1]).then(asked);
  }
  return asked;
};

const matchersOf = (subject: object, isNot: boolean): Matchers =>
  new Proxy({} as Matchers, {
    get: (_target, name: string) => {
      if (name === 'not') return matchersOf(subject, !isNot);
      return async (...values: unknown[]): Promise<void> => {
        const look = lookFor(subject, isNot, name, values);
        for (const deadline = Date.now() + patience; ; ) {
          try {
            return await look();
          } catch (error) {
            // More than one element is a fault of the test.
            if (Date.now() > deadline || String(error).includes('strict mode violation'))
              return plainly(subject, isNot, name, values);
          }
        }
      };
    },
  });

const isOfPage = (subject: unknown): subject is object =>
  typeof subject === 'object' && subject !== null && 'getByRole' in subject;

const poll: typeof plain.poll = (look, options = {}) =>
  plain.poll(look, { intervals: [20, 50, 100], ...(typeof options === 'string' ? { message: options } : options) });

export const expect = new Proxy(plain, {
  apply: (target, self: unknown, [subject, ...rest]: [unknown, ...never[]]) =>
    isOfPage(subject) && rest.length === 0
      ? matchersOf(subject, false)
      : Reflect.apply(target, self, [subject, ...rest]),
  get: (target, name, self: unknown) => (name === 'poll' ? poll : Reflect.get(target, name, self)),
});
