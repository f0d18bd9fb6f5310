import { expect, test } from 'vitest';
import { timeAgo } from './time.ts';

test('what happened a moment ago happened just now, what comes is not over yet', () => {
  const now = Date.parse('2026-03-04T12:00:00Z');
  expect(timeAgo('2026-03-04T11:59:40Z', now)).toBe('just now');
  expect(timeAgo('2026-03-04T11:57:00Z', now)).toBe('3 minutes ago');
  expect(timeAgo('2026-03-04T12:00:20Z', now)).toBe('now');
});
