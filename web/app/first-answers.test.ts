import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { renewFirstAnswers } from './first-answers.ts';

test('a change that comes while the first answer is on its way is shown', async () => {
  const client = new QueryClient();
  renewFirstAnswers(client);
  let now = 'before';
  const answers: (() => void)[] = [];
  const queryFn = async (): Promise<string> => {
    const told = now;
    await new Promise<void>((resolve) => answers.push(resolve));
    return told;
  };
  const observer = new QueryObserver(client, { queryKey: ['list', 1], queryFn });
  const stop = observer.subscribe(() => undefined);
  await expect.poll(() => answers.length).toBe(1);
  now = 'after';
  const renewed = client.invalidateQueries({ queryKey: ['list'] });
  answers[0]?.();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.();
  await renewed;
  expect(observer.getCurrentResult().data).toBe('after');
  stop();
  client.clear();
});
