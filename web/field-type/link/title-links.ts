// A field of texts that becomes a link: which records of the other table the texts name, and which are missing.
import { foldTitle } from '@rowhouse/contract/fold.ts';

interface TextCell {
  recordId: string;
  text: string;
}

export interface TitleLinks {
  /** Cells all of whose titles are there. */
  matched: number;
  /** Titles that no record has, each once, as it is written first. */
  missing: readonly string[];
  /** By record, the titles that its cell is to link to, where a conversion by exact titles does not find all of them. */
  toWrite: ReadonlyMap<string, readonly string[]>;
  isKnown: (title: string) => boolean;
}

/** With `several`, what stands between commas is a title each, unless the whole text is one. */
export const linksByTitle = (cells: readonly TextCell[], titles: readonly string[], several: boolean): TitleLinks => {
  const exact = new Set(titles);
  const folded = new Set(titles.map(foldTitle));
  const isKnown = (title: string): boolean => folded.has(foldTitle(title));
  const missing = new Map<string, string>();
  const toWrite = new Map<string, readonly string[]>();
  let matched = 0;
  for (const { recordId, text } of cells) {
    const whole = text.trim();
    const isOne = !several || isKnown(whole);
    const wanted = isOne ? [whole] : whole.split(',').map((part) => part.trim());
    const named = wanted.filter((title) => title !== '');
    const unknown = named.filter((title) => !isKnown(title));
    if (unknown.length === 0) matched += 1;
    for (const title of unknown) if (!missing.has(foldTitle(title))) missing.set(foldTitle(title), title);
    if (!named.every((title) => exact.has(title))) toWrite.set(recordId, named);
  }
  return { matched, missing: [...missing.values()], toWrite, isKnown };
};
