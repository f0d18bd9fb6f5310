import { expect, test } from 'vitest';
import { namedText, outboxText } from './message.ts';

const nameOf = (id: string): string => ({ usrA: 'Ada', spcA: 'Works' })[id] ?? 'someone';

test('one record names its field, several are counted', () => {
  expect(namedText({ fieldName: 'Owner', recordId: 'rec1', count: 1 }, 'Ada', 'Tasks')).toBe(
    'Ada assigned you a record in Tasks (Owner)',
  );
  expect(namedText({ fieldName: 'Owner', recordId: 'rec1', count: 1_200 }, 'Ada', 'Tasks')).toBe(
    'Ada assigned you 1,200 records in Tasks',
  );
});

test('a limit says how much of what is used', () => {
  expect(
    outboxText(
      { type: 'limitReached', spaceId: 'spcA', limit: 'maxRows', used: 800, allowed: 1_000, percent: 80 },
      nameOf,
    ),
  ).toBe('The space Works has used 80 % of what its plan allows: 800 of 1,000 records');
});

test('a status reads as words', () => {
  expect(outboxText({ type: 'subscriptionChanged', spaceId: 'spcA', status: 'past_due', level: 'pro' }, nameOf)).toBe(
    'The subscription of the space Works (pro) is now past due',
  );
});
