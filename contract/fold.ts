// Texts as people compare them: "café noir" is "Café Noir", and so is "cafe noir". Titles of links, choices and every search go by this.

/** Marks that stand on a letter, apart from it. PostgreSQL strips the same in server/domain/cell/kind/shared.sql.ts. */
export const accents = '[\u0300-\u036f]';

/** In any case still: what lower case is, PostgreSQL says for its own texts. */
export const withoutAccents = (text: string): string => text.normalize('NFKD').replace(new RegExp(accents, 'g'), '');

/** A sigma at the end of a word is one. */
export const foldText = (text: string): string => withoutAccents(text).toLowerCase().replaceAll('ς', 'σ');

export const foldTitle = (title: string): string => foldText(title.trim());
