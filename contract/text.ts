// Text that the database can hold as it is: neither zero bytes nor halves of surrogate pairs, which
// would otherwise be replaced on the way without a word.
import { type TString, Type } from 'typebox';

const unstorable = /\0|\p{Surrogate}/u;

export const isStorable = (text: string): boolean => !unstorable.test(text);

export const text = (options: { minLength?: number; maxLength: number; description?: string; format?: 'email' }): TString =>
  Type.Refine(Type.String(options), isStorable, () => 'Expected text without zero bytes and unpaired surrogates') as unknown as TString;
