// data/credentials.json: what the first start made, for people and scripts that come after. Only its owner
// can read it.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { randomText } from '@rowhouse/contract/id.ts';

export interface Credentials {
  url: string;
  email: string;
  password: string;
  token: string;
  userId: string;
  spaceId: string;
  baseId: string;
  tableId: string;
}

export const credentialsFile = (dataFolder: string): string => join(dataFolder, 'credentials.json');

/** Always with a letter and a digit. */
export const randomPassword = (): string => {
  for (;;) {
    const password = randomText(20);
    if (/[A-Za-z]/.test(password) && /\d/.test(password)) return password;
  }
};

/** On disk when this returns, whole or not at all. */
export const writeCredentials = (dataFolder: string, credentials: Credentials): void => {
  const file = credentialsFile(dataFolder);
  mkdirSync(dataFolder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  const descriptor = openSync(draft, 'w', 0o600);
  writeSync(descriptor, `${JSON.stringify(credentials, null, 2)}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(draft, file);
};

export const readCredentials = (dataFolder: string): Credentials | undefined => {
  try {
    return JSON.parse(readFileSync(credentialsFile(dataFolder), 'utf8')) as Credentials;
  } catch {
    return undefined;
  }
};
