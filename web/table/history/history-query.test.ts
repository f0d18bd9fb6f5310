import { expect, test } from 'vitest';
import { everything, historyQuery } from './history-query.ts';

test('a filter names only what it narrows', () => {
  expect(historyQuery(everything)).toEqual({ take: 30 });
  expect(historyQuery({ ...everything, personId: 'usrA', fieldId: 'fldB' })).toEqual({
    take: 30,
    createdByIds: ['usrA'],
    fieldIds: ['fldB'],
  });
});

test('days begin and end where the person is', () => {
  const now = new Date(2026, 2, 10, 15, 30);
  expect(historyQuery({ ...everything, span: 'today' }, now).startDate).toBe(new Date(2026, 2, 10).toISOString());
  expect(historyQuery({ ...everything, span: 'week' }, now).startDate).toBe(new Date(2026, 2, 4).toISOString());
  const between = historyQuery({ ...everything, span: 'between', from: '2026-03-01', to: '2026-03-02' }, now);
  expect(between.startDate).toBe(new Date(2026, 2, 1).toISOString());
  expect(between.endDate).toBe(new Date(2026, 2, 2, 23, 59, 59, 999).toISOString());
  expect(historyQuery({ ...everything, span: 'between', from: '', to: '' }, now)).toEqual({ take: 30 });
});
