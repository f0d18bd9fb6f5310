import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createSecretKey, secretKeyFile } from './secret-key.ts';

const dataFolder = join(mkdtempSync(join(tmpdir(), 'rowhouse-key-')), 'data');
afterAll(() => rmSync(join(dataFolder, '..'), { recursive: true }));

test('the key is made once, readable by its owner alone, and is the same for all who share the folder', () => {
  const [one, other] = [createSecretKey({ secret: null, dataFolder }), createSecretKey({ secret: null, dataFolder })];
  const text = one.derive('invitation', 'inv1');
  expect(text).toMatch(/^[0-9a-f]{64}$/);
  expect(other.derive('invitation', 'inv1')).toBe(text);
  expect(one.derive('invitationinv1')).not.toBe(text);
  expect(statSync(secretKeyFile(dataFolder)).mode & 0o777).toBe(0o600);
  expect(readFileSync(secretKeyFile(dataFolder), 'utf8').trim()).toHaveLength(43);
});

test('what is sealed is read with the same key, and by nobody else', () => {
  const key = createSecretKey({ secret: 'a', dataFolder });
  const sealed = key.seal('JBSWY3DPEHPK3PXP');
  expect(sealed.toString('latin1')).not.toContain('JBSWY3DPEHPK3PXP');
  expect(key.seal('JBSWY3DPEHPK3PXP').equals(sealed)).toBe(false);
  expect(createSecretKey({ secret: 'a', dataFolder }).unseal(sealed)).toBe('JBSWY3DPEHPK3PXP');
  expect(createSecretKey({ secret: 'b', dataFolder }).unseal(sealed)).toBeUndefined();
  sealed[sealed.length - 1] = (sealed.at(-1) as number) ^ 1;
  expect(key.unseal(sealed)).toBeUndefined();
  expect(key.unseal(Buffer.alloc(3))).toBeUndefined();
});
