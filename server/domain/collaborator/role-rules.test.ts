import { roles } from '@rowhouse/contract/permission.ts';
import { expect, test } from 'vitest';
import { isBillable, mayGive, mayManage } from './role-rules.ts';

test('everyone gives at most their own role', () => {
  const given = roles.map((own) => roles.filter((role) => mayGive(own, role)));
  expect(given).toEqual([roles, roles.slice(1), roles.slice(2), roles.slice(3), roles.slice(4)]);
});

test('owners manage everyone, others only those below themselves', () => {
  const managed = roles.map((own) => roles.filter((role) => mayManage(own, role, false)));
  expect(managed).toEqual([roles, roles.slice(2), roles.slice(3), roles.slice(4), []]);
});

test('everyone manages themselves', () => {
  expect(roles.every((role) => mayManage(role, role, true))).toBe(true);
});

test('those who can change records take a seat', () => {
  expect(roles.filter(isBillable)).toEqual(['owner', 'creator', 'editor']);
});
