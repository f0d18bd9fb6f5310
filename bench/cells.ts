// What the measured tables hold: two sets of fields, and values for them that are the same in every run.
// A cell of another variant always differs, so that an update really changes it.
export interface BenchField {
  name: string;
  type: string;
  options?: Record<string, unknown>;
  /** Type of the column, for the raw statements. */
  column: 'text' | 'double precision' | 'boolean' | 'timestamptz' | 'jsonb';
}

export interface Person {
  id: string;
  title: string;
  email: string;
}

const choices = ['Planned', 'In progress', 'In review', 'Done', 'Dropped'];
const select = { choices: choices.map((name) => ({ name })) };

const make = (
  count: number,
  name: string,
  type: string,
  column: BenchField['column'],
  options?: Record<string, unknown>,
): BenchField[] =>
  Array.from({ length: count }, (_, at) => ({
    name: count === 1 ? name : `${name} ${at + 1}`,
    type,
    column,
    ...(options === undefined ? {} : { options }),
  }));

export const twentyFields: BenchField[] = [
  ...make(5, 'Text', 'singleLineText', 'text'),
  ...make(2, 'Long', 'longText', 'text'),
  ...make(4, 'Number', 'number', 'double precision'),
  ...make(1, 'Rating', 'rating', 'double precision'),
  ...make(2, 'Check', 'checkbox', 'boolean'),
  ...make(2, 'Date', 'date', 'timestamptz'),
  ...make(2, 'Status', 'singleSelect', 'text', select),
  ...make(1, 'Tags', 'multipleSelect', 'jsonb', select),
  ...make(1, 'Person', 'user', 'jsonb'),
];

export const tenFields: BenchField[] = [
  ...make(3, 'Text', 'singleLineText', 'text'),
  ...make(1, 'Long', 'longText', 'text'),
  ...make(2, 'Number', 'number', 'double precision'),
  ...make(1, 'Check', 'checkbox', 'boolean'),
  ...make(1, 'Date', 'date', 'timestamptz'),
  ...make(1, 'Status', 'singleSelect', 'text', select),
  ...make(1, 'Tags', 'multipleSelect', 'jsonb', select),
];

const words = ['harbour', 'lantern', 'meadow', 'granite', 'orchard', 'copper', 'willow', 'signal'];

const mix = (row: number, at: number): number => (Math.imul(row + 1, 2_654_435_761) ^ Math.imul(at + 1, 40_503)) >>> 0;

/** null is an empty cell. */
const cell = (field: BenchField, at: number, row: number, variant: number, person: Person): unknown => {
  const seed = mix(row, at);
  const turn = seed + variant;
  const word = (shift: number): string => words[(seed >>> shift) % words.length] as string;
  switch (field.type) {
    case 'singleLineText':
      return `${word(1)} ${word(4)} ${row}-${variant}`;
    case 'longText':
      return `The ${word(2)} by the ${word(5)}, number ${row} of version ${variant}: ${word(8)}, ${word(11)} and "${word(14)}".\nSecond line about the ${word(17)}.`;
    case 'number':
      return Math.round(seed / 1_000) / 100 + variant;
    case 'rating':
      return (turn % 5) + 1;
    case 'checkbox':
      return turn % 2 === 0 ? true : null;
    case 'date':
      return new Date(1_700_000_000_000 + (seed % 31_536_000) * 1_000 + variant).toISOString();
    case 'singleSelect':
      return choices[turn % choices.length];
    case 'multipleSelect':
      return [choices[turn % choices.length], choices[(turn + 2) % choices.length]];
    default:
      return turn % 2 === 0 ? person : null;
  }
};

/** The cells of one record as the API takes them. */
export const cellsOf = (
  fields: readonly BenchField[],
  row: number,
  variant: number,
  person: Person,
): Record<string, unknown> =>
  Object.fromEntries(fields.map((field, at) => [field.name, cell(field, at, row, variant, person)]));
