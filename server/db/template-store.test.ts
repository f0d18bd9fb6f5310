import { expect, test } from 'vitest';
import { sql, template } from './sql.ts';
import { createTemplateStore } from './template-store.ts';

test('a text is made once for its owner and key, and takes the values of each run', () => {
  const store = createTemplateStore();
  const [one, other] = [{}, {}];
  let made = 0;
  const make = () => {
    made += 1;
    return template((slot) => sql`select ${slot('a')}::text, ${slot('b')}::int, ${slot('a')}::text`);
  };
  expect(store(one, 'k', make)({ a: 'x', b: 1 })).toEqual({
    text: 'select $1::text, $2::int, $1::text',
    values: ['x', 1],
  });
  expect(store(one, 'k', make)({ a: 'y', b: 2 }).values).toEqual(['y', 2]);
  expect(made).toBe(1);
  store(one, 'l', make);
  store(other, 'k', make);
  expect(made).toBe(3);
});

test('however many keys a client thinks of, the texts are bounded by their bytes', () => {
  const store = createTemplateStore(100_000);
  const owner = {};
  let made = 0;
  const ask = (key: number) =>
    store(owner, String(key), () => {
      made += 1;
      return template(() => sql`select 1`);
    });
  for (let key = 0; key < 1_000; key += 1) ask(key);
  expect(made).toBe(1_000);
  // The oldest are gone, the newest are there.
  ask(999);
  expect(made).toBe(1_000);
  ask(0);
  expect(made).toBe(1_001);
});
