// What one setting may be, and how it is read from the environment or from a file that the environment names.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';

export interface Setting {
  name: string;
  default: string;
  meaning: string;
  /** Can also be read from a file that `<NAME>_FILE` names, and is never repeated on the screen. */
  isSecret: boolean;
}

export class SettingError extends Error {}

export type Env = Record<string, string | undefined>;

export interface Kind<T> {
  parse: (text: string) => T | undefined;
  expected: string;
}

export const text: Kind<string> = { parse: (value) => (value.includes('\0') ? undefined : value), expected: 'text' };

export const integer = (min: number, max: number): Kind<number> => ({
  parse: (value) => (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined),
  expected: `a whole number from ${min} to ${max}`,
});

export const oneOf = <const T extends readonly string[]>(...words: T): Kind<T[number]> => ({
  parse: (value) => words.find((word) => word === value.toLowerCase()),
  expected: `one of ${words.join(', ')}`,
});

export const url = (...protocols: string[]): Kind<string> => ({
  parse: (value) => (URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined),
  expected: `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
});

export interface Origins {
  /** Null: all of them. */
  origins: ReadonlySet<string> | null;
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

export const originList: Kind<Origins> = {
  parse(value) {
    if (value === '*') return { origins: null };
    if (value.toLowerCase() === 'none') return { origins: new Set() };
    const listed = value.split(',').map((origin) => origin.trim());
    return listed.every(isOrigin) ? { origins: new Set(listed) } : undefined;
  },
  expected: '`*`, `none`, or origins such as https://app.example.com, separated by commas',
};

const isNetwork = (text: string): boolean => {
  const [address = '', bits = '', ...rest] = text.split('/');
  const family = isIP(address);
  return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
};

export const networkList: Kind<string[]> = {
  parse(value) {
    const listed = value.split(',').map((network) => network.trim());
    return listed.every(isNetwork) ? listed : undefined;
  },
  expected: 'networks such as 10.0.0.0/8 or fd00::/8, separated by commas',
};

export type StreamTarget = { readonly file: string } | { readonly url: string };

export const streamTarget: Kind<StreamTarget> = {
  parse(value) {
    if (isAbsolute(value) && !value.includes('\0')) return { file: value };
    return url('https:', 'http:').parse(value) === undefined ? undefined : { url: value };
  },
  expected: 'the absolute path of a file, or a URL that starts with https:// (http:// only for private networks)',
};

const dnsServer = (word: string): boolean => {
  const [, address = word, port = '53'] = /^(\[[^\]]+\]|[\d.]+):(\d{1,5})$/.exec(word) ?? [];
  return isIP(address.replaceAll(/[[\]]/g, '')) !== 0 && Number(port) >= 1 && Number(port) <= 65_535;
};

export const dnsServerList: Kind<string[]> = {
  parse(value) {
    const words = value.split(',').map((word) => word.trim());
    return words.every(dnsServer) ? words : undefined;
  },
  expected: 'addresses such as 9.9.9.9 or 10.0.0.2:5353, separated by commas',
};

export const secretText: Kind<string> = {
  parse: (value) => (value.length >= 32 && !value.includes('\0') ? value : undefined),
  expected: 'at least 32 characters',
};

export const email: Kind<string> = {
  parse: (value) => (/^[^\s@]+@[^\s@]+$/.test(value) ? value : undefined),
  expected: 'an e-mail address',
};

export const password: Kind<string> = {
  parse: (value) =>
    value.length >= 8 && value.length <= 256 && /[A-Za-z]/.test(value) && /\d/.test(value) ? value : undefined,
  expected: 'at least 8 characters with a letter and a digit',
};

export interface Declared<T> extends Setting {
  kind: Kind<T>;
}

/** One line end is dropped: editors and `echo` leave it. */
const readSecretFile = (name: string, file: string): string => {
  let content: string;
  try {
    content = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new SettingError(`${name} must name a file that can be read: ${(error as Error).message}`);
  }
  if (content === '') throw new SettingError(`${name} must name a file with the value in it (${file} is empty)`);
  return content;
};

const givenFor = (env: Env, { name, isSecret }: Setting): string => {
  const given = env[name] ?? '';
  const file = (isSecret ? env[`${name}_FILE`] : undefined) ?? '';
  if (file === '') return given;
  if (given !== '') throw new SettingError(`Only one of ${name} and ${name}_FILE can be set`);
  return readSecretFile(`${name}_FILE`, file);
};

export const read = <T>(env: Env, setting: Declared<T>): T | null => {
  const given = givenFor(env, setting);
  const value = given === '' ? setting.default : given;
  if (value === '') return null;
  const parsed = setting.kind.parse(value);
  if (parsed === undefined) {
    // A secret that is wrong is not repeated on the screen, nor is a public address, which may hold a password by mistake.
    const shown = setting.isSecret || setting.name.endsWith('_URL') ? '' : ` (it is "${value.slice(0, 80)}")`;
    throw new SettingError(`${setting.name} must be ${setting.kind.expected}${shown}`);
  }
  return parsed;
};
