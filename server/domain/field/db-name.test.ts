import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDbName, dbNameFrom, freeDbName } from './db-name.ts';

describe('names in the database', () => {
  test('are spelled with plain letters and keep their case', () => {
    expect(dbNameFrom('Prénom')).toBe('Prenom');
    expect(dbNameFrom('Größe (cm)')).toBe('Grosse_cm_');
    expect(dbNameFrom('Имя')).toBe('Imya');
    expect(dbNameFrom('Ærø')).toBe('AEro');
  });

  test('begin with a letter, and are never empty', () => {
    expect(dbNameFrom('2024')).toBe('t2024');
    expect(dbNameFrom('_x')).toBe('t_x');
    expect(dbNameFrom('名前')).toBe('unnamed');
    expect(dbNameFrom('🙂')).toBe('unnamed');
    expect(dbNameFrom('"; drop table x; --')).toBe('t_drop_table_x_');
  });

  test('avoid what is taken and what PostgreSQL has itself', () => {
    expect(freeDbName('Name', new Set(['Name', 'Name_2']))).toBe('Name_3');
    expect(freeDbName('name', new Set(['Name']))).toBe('name');
    expect(freeDbName('ctid', new Set())).toBe('ctid_2');
    expect(() => checkDbName('xmin', new Set(), 'dbFieldName')).toThrow(/own/);
    expect(() => checkDbName('__id', new Set(), 'dbFieldName')).toThrow(/own/);
  });

  test('fit whatever the name, also when very many are alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const taken = new Set<string>();
        for (let turn = 0; turn < 12; turn += 1) {
          const made = freeDbName(name, taken);
          expect(made).toMatch(/^[A-Za-z]\w{0,62}$/);
          expect(taken.has(made)).toBe(false);
          taken.add(made);
        }
      }),
      { numRuns: 300 },
    );
  });
});
