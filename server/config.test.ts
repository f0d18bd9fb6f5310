import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { settings } from './settings.ts';
import { SettingError } from './config-value.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rowhouse-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (content: string): string => {
  const path = join(folder, `secret-${Math.random()}`);
  writeFileSync(path, content);
  return path;
};

const faultOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return '';
};

/** A value of each that would be right. */
const values: Record<string, string> = {
  ROWHOUSE_S3_URL: 'https://key:hidden@s3.example.com/files?region=eu-central-1',
  DATABASE_URL: 'postgres://rowhouse:hidden@db.example.com/rowhouse',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-key=hidden',
  ROWHOUSE_SECRET: 'hidden-hidden-hidden-hidden-hidden',
  ROWHOUSE_ADMIN_PASSWORD: 'hidden word 1',
  ROWHOUSE_METRICS_TOKEN: 'hidden-hidden-hidden-hidden-hidden',
  STRIPE_SECRET_KEY: 'hidden',
  STRIPE_WEBHOOK_SECRET: 'hidden',
  ROWHOUSE_AUDIT_STREAM_TOKEN: 'hidden',
  SMTP_URL: 'smtp://user:hidden@mail.example.com:587',
};

test('every secret, and nothing else, is read from the file that <NAME>_FILE names', () => {
  const secrets = settings.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  expect(secrets.toSorted()).toEqual(Object.keys(values).toSorted());
  for (const name of secrets) {
    const direct = readConfig({ [name]: values[name] });
    for (const end of ['', '\n', '\r\n'])
      expect(readConfig({ [`${name}_FILE`]: file(`${values[name]}${end}`) })).toEqual(direct);
    expect(readConfig({ [`${name}_FILE`]: '', [name]: values[name] })).toEqual(direct);
    expect(direct).not.toEqual(readConfig({}));
  }
  expect(readConfig({ PORT_FILE: file('4000') }).port).toBe(3000);
});

test('of a secret only one line end is dropped', () => {
  expect(readConfig({ STRIPE_SECRET_KEY_FILE: file(' a \n\n') }).stripeSecretKey).toBe(' a \n');
});

test('a secret is refused by name when its file is not there, is empty, is wrong, or is not the only value', () => {
  const missing = join(folder, 'missing');
  expect(faultOf({ SMTP_URL_FILE: missing })).toMatch(/^SMTP_URL_FILE must name a file that can be read: ENOENT/);
  expect(faultOf({ SMTP_URL_FILE: folder })).toMatch(/^SMTP_URL_FILE must name a file that can be read: EISDIR/);
  const empty = file('\n');
  expect(faultOf({ ROWHOUSE_SECRET_FILE: empty })).toBe(
    `ROWHOUSE_SECRET_FILE must name a file with the value in it (${empty} is empty)`,
  );
  expect(faultOf({ ROWHOUSE_SECRET_FILE: file('short-hidden') })).toBe(
    'ROWHOUSE_SECRET must be at least 32 characters',
  );
  expect(faultOf({ DATABASE_URL: values.DATABASE_URL as string, DATABASE_URL_FILE: file('x') })).toBe(
    'Only one of DATABASE_URL and DATABASE_URL_FILE can be set',
  );
});

test('no message repeats a secret, and others say what was given', () => {
  for (const name of Object.keys(values))
    expect(faultOf({ [name]: '\0hidden' })).toMatch(new RegExp(`^${name} must be `));
  for (const name of Object.keys(values)) expect(faultOf({ [name]: '\0hidden' })).not.toContain('hidden');
  expect(faultOf({ PORT: 'many' })).toBe('PORT must be a whole number from 0 to 65535 (it is "many")');
});
