// The key of this instance: what is in the database alone gives away neither the codes of invitations nor the secrets of
// authenticator apps. From ROWHOUSE_SECRET, or from a file in the data folder that is made when it is first needed.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';

export interface SecretKey {
  /** The same text for the same words, 64 hexadecimal characters. */
  derive(...words: string[]): string;
  seal(text: string): Buffer;
  /** Undefined when it was sealed with another key, or is no seal. */
  unseal(sealed: Buffer): string | undefined;
}

export const secretKeyFile = (dataFolder: string): string => join(dataFolder, 'secret.key');

const readFile = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Two servers that share the folder end up with the same key: of two links one is made. */
const makeFile = (dataFolder: string): string => {
  const file = secretKeyFile(dataFolder);
  mkdirSync(dataFolder, { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  writeSync(descriptor, `${randomBytes(32).toString('base64url')}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFile(file) as string;
};

const nonceLength = 12;
const tagLength = 16;

const keyFrom = (secret: string): SecretKey => {
  const part = (name: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `rowhouse ${name}`, 32));
  const [derivation, sealing] = [part('derive'), part('seal')];
  return {
    derive: (...words) => createHmac('sha256', derivation).update(JSON.stringify(words)).digest('hex'),
    seal(text) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    unseal(sealed) {
      if (sealed.length < nonceLength + tagLength) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(0, nonceLength));
      decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
      try {
        return decipher.update(sealed.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
};

/** Reads or makes the key when it is first asked for anything. */
export const createSecretKey = ({ secret, dataFolder }: Pick<Config, 'secret' | 'dataFolder'>): SecretKey => {
  let known: SecretKey | undefined;
  const key = (): SecretKey =>
    (known ??= keyFrom(secret ?? readFile(secretKeyFile(dataFolder)) ?? makeFile(dataFolder)));
  return {
    derive: (...words) => key().derive(...words),
    seal: (text) => key().seal(text),
    unseal: (sealed) => key().unseal(sealed),
  };
};
