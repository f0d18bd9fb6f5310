// What columns of texts are: their names from the first row of a file, their types from the cells. The server guesses for imports, the app for files
// and for what is pasted.

/** Numbers as programs write them, with commas between thousands if at all. With zeros in front, or more digits than a number keeps, it is a code: 01067 is a town. */
const numberForm = /^[+-]?(0|[1-9]\d*|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?([eE][+-]?\d{1,3})?$/;
const isNumber = (text: string): boolean => {
  if (!numberForm.test(text)) return false;
  const number = Number(text.replaceAll(',', ''));
  return Number.isFinite(number) && (Math.abs(number) <= Number.MAX_SAFE_INTEGER || /e/i.test(text));
};

const dateForm =
  /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[ T]([01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

const isDate = (text: string): boolean => {
  const [, year, , month, day] = dateForm.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
};

const isTruth = (text: string): boolean => /^(true|false|yes|no)$/i.test(text);

/** Longer texts are read in several lines. */
const longestLine = 100;
const isLong = (text: string): boolean => text.length > longestLine || /[\r\n]/.test(text);

type GuessedType = 'checkbox' | 'number' | 'date' | 'longText' | 'singleLineText';

/** Of texts that are trimmed and not empty. */
export const guessType = (values: readonly string[]): GuessedType => {
  if (values.length === 0) return 'singleLineText';
  if (values.some(isLong)) return 'longText';
  if (values.every(isTruth)) return 'checkbox';
  if (values.every(isNumber)) return 'number';
  return values.every(isDate) ? 'date' : 'singleLineText';
};

/** No two are the same; columns without one get one. */
export const columnNames = (header: readonly string[], width: number): string[] => {
  const taken = new Set<string>();
  const lastCopies = new Map<string, number>();
  return Array.from({ length: width }, (_item, at) => {
    const wanted = (header[at] ?? '').trim().slice(0, 200) || `Field ${at + 1}`;
    let name = wanted;
    for (let copy = (lastCopies.get(wanted) ?? 1) + 1; taken.has(name); copy += 1) {
      name = `${wanted} ${copy}`;
      lastCopies.set(wanted, copy);
    }
    taken.add(name);
    return name;
  });
};
