// JSON of free form (options, showAs …) before it is kept: the database must be able to hold every text in it.
import { invalid } from '@rowhouse/contract/error.ts';
import { isStorable } from '@rowhouse/contract/text.ts';

const deepest = 20;

export const demandStorable = (value: unknown, at: string, depth = 0): void => {
  if (typeof value === 'string' && !isStorable(value))
    throw invalid({ path: at, message: 'Expected text without zero bytes and unpaired surrogates' });
  if (typeof value !== 'object' || value === null) return;
  // Also keeps the depth of the stack in bounds, here and where the value is written as JSON.
  if (depth >= deepest) throw invalid({ path: at, message: `Nested more than ${deepest} deep` });
  for (const [key, item] of Object.entries(value)) {
    demandStorable(key, at, depth + 1);
    demandStorable(item, Array.isArray(value) ? `${at}[${key}]` : `${at}.${key}`, depth + 1);
  }
};
