import { expect, test } from 'vitest';
import type { Manifest } from './manifest.ts';
import { renameBy, renamedManifest } from './rename.ts';

const [small, mixed, next, other] = [
  'fldlxw2knurbvcqnmsl',
  'fldLxW2knurbvcqnmsL',
  'fldAbCdEfGhIjKlMnOp',
  'fldQrStUvWxYzAbCdEf',
] as const;

test('names in indexes that needed no quotes have some under their new ids; texts stay', () => {
  const method = `btree (__fk_${small}, "__fk_${mixed}") WHERE (__fk_${small} <> 'no __fk_${small}'::text)`;
  const index = { name: `__fk_${small}`, isUnique: false, method };
  const manifest = { bases: [{ tables: [{ name: 'Tasks', indexes: [index] }] }] } as unknown as Manifest;
  const renamed = renamedManifest(
    manifest,
    renameBy(
      new Map([
        [small, next],
        [mixed, other],
      ]),
    ),
  );
  expect(renamed.bases[0]?.tables[0]?.indexes[0]).toEqual({
    name: `__fk_${next}`,
    isUnique: false,
    method: `btree ("__fk_${next}", "__fk_${other}") WHERE ("__fk_${next}" <> 'no __fk_${next}'::text)`,
  });
});
