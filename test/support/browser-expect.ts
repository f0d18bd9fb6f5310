// Playwright's `expect` looks at a page after 20, 70, 170 and 270 ms, and from then on every half second only, unless it is given less
// than 2.5 seconds: then every 100 ms. Most of what is waited for takes 300 ms to a second, so tests spent much of their time on
// what was long there. Here it is given a little time, again and again.
import { expect as plain } from '@playwright/test';

const patience = 30_000;
const quick = plain.configure({ timeout: 2_400 });

type Matchers = Record<string, (...values: unknown[]) => Promise<void>> & { not: Matchers };

const matchersOf = (subject: object, isNot: boolean): Matchers =>
  new Proxy({} as Matchers, {
    get: (_target, name: string) => {
      if (name === 'not') return matchersOf(subject, !isNot);
      return async (...values: unknown[]): Promise<void> => {
        for (const deadline = Date.now() + patience; ; ) {
          try {
            const matchers = quick(subject) as unknown as Matchers;
            return await (isNot ? matchers.not : matchers)[name]?.(...values);
          } catch (error) {
            // More than one element is a fault of the test.
            if (Date.now() > deadline || String(error).includes('strict mode violation')) throw error;
          }
        }
      };
    },
  });

const isOfPage = (subject: unknown): subject is object => typeof subject === 'object' && subject !== null && 'getByRole' in subject;

const poll: typeof plain.poll = (look, options = {}) => plain.poll(look, { intervals: [20, 50, 100], ...(typeof options === 'string' ? { message: options } : options) });

export const expect = new Proxy(plain, {
  apply: (target, self: unknown, [subject, ...rest]: [unknown, ...never[]]) => (isOfPage(subject) && rest.length === 0 ? matchersOf(subject, false) : Reflect.apply(target, self, [subject, ...rest])),
  get: (target, name, self: unknown) => (name === 'poll' ? poll : Reflect.get(target, name, self)),
});
