import { QueryObserver, queryOptions } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from './query-client.ts';
import { showAtOnce, withUnanswered } from './unanswered.ts';

/** A server that answers when it is told to, with what it held when it was asked. */
const server = (first: string) => {
  let held = first;
  const reads: (() => void)[] = [];
  const options = queryOptions({
    queryKey: ['held', first],
    queryFn: () => {
      const found = held;
      return new Promise<string>((resolve) => reads.push(() => resolve(withUnanswered(['held', first], found))));
    },
  });
  return {
    options,
    write: (next: string) => (held = next),
    /** Answers the oldest read. */
    answer: () => reads.shift()?.(),
    waiting: () => reads.length,
  };
};

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  queryClient.clear();
});

const watched = (options: ReturnType<typeof server>['options']): string[] => {
  const shown: string[] = [];
  const stop = new QueryObserver(queryClient, options).subscribe(({ data }) => {
    if (data !== undefined && data !== shown.at(-1)) shown.push(data);
  });
  stops.push(stop);
  return shown;
};

test('what was read before a change and comes while it is on its way does not take it back', async () => {
  const { options, write, answer, waiting } = server('old');
  const shown = watched(options);
  answer();
  await settled();
  void queryClient.invalidateQueries(options);
  await settled();
  let finish = (): void => undefined;
  const saved = showAtOnce(
    options.queryKey,
    () => 'new',
    () => new Promise<void>((resolve) => (finish = resolve)),
  );
  answer();
  await settled();
  write('new');
  finish();
  await saved;
  while (waiting() > 0) answer();
  await settled();
  expect(shown).toEqual(['old', 'new']);
});

test('nor does what comes after it is answered', async () => {
  const { options, write, answer } = server('before');
  const shown = watched(options);
  answer();
  await settled();
  void queryClient.invalidateQueries(options);
  await settled();
  await showAtOnce(
    options.queryKey,
    () => 'after',
    async () => void write('after'),
  );
  await settled();
  answer();
  answer();
  await settled();
  expect(shown).toEqual(['before', 'after']);
});

test('a change that is refused is read again by who asked for it, and is not made to that', async () => {
  const { options, answer } = server('true');
  const shown = watched(options);
  answer();
  await settled();
  await expect(
    showAtOnce(
      options.queryKey,
      () => 'wished',
      () => Promise.reject(new Error('no')),
    ),
  ).rejects.toThrow('no');
  void queryClient.invalidateQueries(options);
  await settled();
  answer();
  await settled();
  expect(shown).toEqual(['true', 'wished', 'true']);
});

test('changes of the same thing are sent one after the other, also behind one that is refused', async () => {
  const { options, answer } = server('old');
  const shown = watched(options);
  answer();
  await settled();
  const sent: string[] = [];
  const finish = new Map<string, (error?: Error) => void>();
  const send = (name: string) => () => {
    sent.push(name);
    return new Promise<void>((resolve, reject) =>
      finish.set(name, (error) => (error === undefined ? resolve() : reject(error))),
    );
  };
  const [first, second, third] = ['first', 'second', 'third'].map((name) =>
    showAtOnce(options.queryKey, () => name, send(name)),
  );
  await settled();
  expect([sent, shown]).toEqual([['first'], ['old', 'first', 'second', 'third']]);
  finish.get('first')?.(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await settled();
  expect(sent).toEqual(['first', 'second']);
  finish.get('second')?.();
  await second;
  await settled();
  expect(sent).toEqual(['first', 'second', 'third']);
  finish.get('third')?.();
  await third;
});
