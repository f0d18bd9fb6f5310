// How a setting is declared. All of them stand in settings.ts.
import type { Declared, Kind } from './config-value.ts';

export const declare = <T>(
  name: string,
  kind: Kind<T>,
  fallback: string,
  meaning: string,
  { isSecret = false } = {},
): Declared<T> => ({ name, kind, default: fallback, meaning, isSecret });

export const declareSecret = <T>(name: string, kind: Kind<T>, meaning: string): Declared<T> =>
  declare(name, kind, '', meaning, { isSecret: true });
