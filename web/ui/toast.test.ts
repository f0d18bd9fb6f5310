import { expect, test, vi } from 'vitest';
import { dismissPassing, dismissToast, shownToast, showToast, snapshotOfToasts, type Toast } from './toast.ts';

const toast = (id: number, part: Partial<Toast> = {}): Toast => ({ id, kind: 'note', title: String(id), ...part });

test('one note is shown: a problem before others, the newest before older ones, then what waits to be decided', () => {
  const choices = [{ label: 'Keep mine', run: () => undefined }];
  const waiting = [toast(1, { stays: true, choices }), toast(2, { stays: true, choices })];
  expect(shownToast([])).toBeUndefined();
  // Of two reports the latest is shown, but not before a question.
  const reports = [toast(7, { stays: true }), toast(8, { stays: true })];
  expect(shownToast(reports)).toEqual({ toast: reports[1], waiting: 1 });
  expect(shownToast([...waiting, ...reports])).toEqual({ toast: waiting[0], waiting: 3 });
  expect(shownToast(waiting)).toEqual({ toast: waiting[0], waiting: 1 });
  expect(shownToast([...waiting, toast(3), toast(4)])).toEqual({ toast: toast(4), waiting: 2 });
  const problem = toast(5, { kind: 'problem' });
  expect(shownToast([...waiting, problem, toast(6)])).toEqual({ toast: problem, waiting: 2 });
});

test('a note that holds something outlives the next one and another page, a passing one neither', () => {
  const titles = (): string[] => snapshotOfToasts().map(({ title }) => title);
  showToast({ kind: 'note', title: 'held', stays: true });
  showToast({ kind: 'note', title: 'first' });
  showToast({ kind: 'note', title: 'second' });
  expect(titles()).toEqual(['held', 'second']);
  showToast({ kind: 'note', title: 'table deleted', crossesPages: true });
  dismissPassing();
  expect(titles()).toEqual(['held', 'table deleted']);
  for (const { id } of snapshotOfToasts()) dismissToast(id);
  showToast({ kind: 'note', title: 'record deleted' });
  dismissPassing();
  expect(titles()).toEqual([]);
});

test('a report that holds nothing goes with its page, and the next one takes its place', () => {
  const titles = (): string[] => snapshotOfToasts().map(({ title }) => title);
  const report = { kind: 'note', stays: true, isOfPage: true, about: 'import' } as const;
  showToast({ ...report, title: 'Clients imported' });
  showToast({ ...report, title: 'Projects imported' });
  showToast({ kind: 'note', title: 'passing' });
  expect(titles()).toEqual(['Projects imported', 'passing']);
  dismissPassing();
  expect(titles()).toEqual([]);
});

test('a problem that has been read makes way for what somebody does next', () => {
  const titles = (): string[] => snapshotOfToasts().map(({ title }) => title);
  vi.useFakeTimers();
  showToast({ kind: 'problem', title: 'not undone' });
  showToast({ kind: 'note', title: 'meanwhile' });
  expect(titles()).toEqual(['not undone', 'meanwhile']);
  vi.advanceTimersByTime(4_500);
  showToast({ kind: 'note', title: '2 cells pasted' });
  expect(titles()).toEqual(['2 cells pasted']);
  vi.runAllTimers();
  vi.useRealTimers();
  expect(titles()).toEqual([]);
});
