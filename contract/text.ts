// Text that the database can hold as it is: neither zero bytes nor halves of surrogate pairs, which
// would otherwise be replaced on the way without a word.
import { type TString, Type } from 'typebox';

const unstorable = /\0|\p{Surrogate}/u;

export const isStorable = (text: string): boolean => !unstorable.test(text);

/** Quoted names are allowed in addresses by the standard, with line breaks in them: nobody has one, and a mail program could take them for headers. */
const notInAddresses = /[\p{C}\s"<>()[\]\\,;:]/u;

const isPlainAddress = (address: string): boolean => !notInAddresses.test(address);

export const text = (options: {
  minLength?: number;
  maxLength: number;
  description?: string;
  format?: 'email';
}): TString => {
  const storable = Type.Refine(
    Type.String(options),
    isStorable,
    () => 'Expected text without zero bytes and unpaired surrogates',
  );
  return (options.format === 'email'
    ? Type.Refine(storable, isPlainAddress, () => 'Expected an e-mail address without quotes, spaces and line breaks')
    : storable) as unknown as TString;
};

/** The name itself when nobody has it, else with the first free number: "Space 2". */
export const uniqueName = (name: string, taken: readonly string[]): string => {
  const used = new Set(taken);
  if (!used.has(name)) return name;
  let number = 2;
  while (used.has(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
};
