// A base as a small agency would have it: clients, people, projects, tasks and invoices, linked to each other, with everything that can be computed
// through links. Of any size: a few records to look at, or 200,000 to see how it bears them.
import { createBase } from '@rowhouse/contract/base.ts';
import type { Client } from '@rowhouse/contract/client.ts';
import { createField, type Field, getField, type NewField, updateField } from '@rowhouse/contract/field.ts';
import { createRecords } from '@rowhouse/contract/record.ts';
import { createTable } from '@rowhouse/contract/table.ts';

const names = ['Clients', 'People', 'Projects', 'Tasks', 'Invoices'] as const;
type Name = (typeof names)[number];

interface Sample {
  baseId: string;
  tableIds: Record<Name, string>;
  /** By table, in the order in which they were made. */
  recordIds: Record<Name, string[]>;
  /** By table and name of the field. */
  fields: Record<Name, Record<string, Field>>;
}

type Cells = Record<string, unknown>;

const select = (name: string, ...choices: string[]): NewField => ({
  name,
  type: 'singleSelect',
  options: { choices: choices.map((one) => ({ name: one })) },
});
const money = { formatting: { type: 'currency', precision: 2, symbol: '€' } };

const plainFields: Record<Name, NewField[]> = {
  Clients: [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Contact', type: 'singleLineText' },
    select('Country', 'Austria', 'Denmark', 'France', 'Portugal'),
  ],
  People: [
    { name: 'Name', type: 'singleLineText' },
    select('Role', 'Design', 'Development', 'Research', 'Writing'),
    { name: 'Rate', type: 'number', options: money },
  ],
  Projects: [
    { name: 'Name', type: 'singleLineText' },
    select('Status', 'Planned', 'In progress', 'Done'),
    { name: 'Start', type: 'date' },
    { name: 'Budget', type: 'number', options: money },
  ],
  Tasks: [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Hours', type: 'number' },
    { name: 'Done', type: 'checkbox' },
    { name: 'Due', type: 'date' },
  ],
  Invoices: [
    { name: 'Number', type: 'singleLineText' },
    { name: 'Amount', type: 'number', options: money },
    { name: 'Paid', type: 'checkbox' },
    { name: 'Sent', type: 'date' },
  ],
};

/** From, to, name, name of the other side. */
const links: [Name, Name, string, string, string][] = [
  ['Projects', 'Clients', 'manyOne', 'Client', 'Projects'],
  ['Tasks', 'Projects', 'manyOne', 'Project', 'Tasks'],
  ['Tasks', 'People', 'manyOne', 'Assignee', 'Tasks'],
  ['Invoices', 'Clients', 'manyOne', 'Client', 'Invoices'],
  ['Invoices', 'Projects', 'manyMany', 'Projects', 'Invoices'],
];

interface Computed {
  table: Name;
  name: string;
  /** A formula names fields of its table in braces; the others go through a link to a field of the linked table. */
  formula?: string;
  link?: string;
  source?: string;
  /** Absent: a lookup, or a count without a source. */
  rollup?: string;
  onlyIf?: [field: string, value: boolean];
}

/** Each after what it is computed from. */
const computed: Computed[] = [
  { table: 'Tasks', name: 'Rate', link: 'Assignee', source: 'Rate' },
  { table: 'Tasks', name: 'Cost', formula: '{Hours} * {Rate}' },
  { table: 'Tasks', name: 'Client', link: 'Project', source: 'Client' },
  { table: 'People', name: 'Hours', link: 'Tasks', source: 'Hours', rollup: 'sum' },
  { table: 'People', name: 'Open tasks', link: 'Tasks', source: 'Name', rollup: 'countall', onlyIf: ['Done', false] },
  { table: 'Projects', name: 'Hours', link: 'Tasks', source: 'Hours', rollup: 'sum' },
  { table: 'Projects', name: 'Cost', link: 'Tasks', source: 'Cost', rollup: 'sum' },
  { table: 'Projects', name: 'All tasks', link: 'Tasks' },
  { table: 'Projects', name: 'Done tasks', link: 'Tasks', source: 'Done', rollup: 'countall', onlyIf: ['Done', true] },
  { table: 'Projects', name: 'Left', formula: '{Budget} - {Cost}' },
  {
    table: 'Projects',
    name: 'Progress',
    formula: 'IF({All tasks} > 0, ROUND({Done tasks} / {All tasks} * 100, 0) & " %", "")',
  },
  { table: 'Projects', name: 'Last due', link: 'Tasks', source: 'Due', rollup: 'max' },
  { table: 'Projects', name: 'Country', link: 'Client', source: 'Country' },
  { table: 'Clients', name: 'Invoiced', link: 'Invoices', source: 'Amount', rollup: 'sum' },
  { table: 'Clients', name: 'Outstanding', link: 'Invoices', source: 'Amount', rollup: 'sum', onlyIf: ['Paid', false] },
  { table: 'Clients', name: 'Cost', link: 'Projects', source: 'Cost', rollup: 'sum' },
  { table: 'Clients', name: 'Margin', formula: '{Invoiced} - {Cost}' },
  { table: 'Invoices', name: 'Country', link: 'Client', source: 'Country' },
  { table: 'Invoices', name: 'Project status', link: 'Projects', source: 'Status' },
];

const words = ['Harbour', 'Lantern', 'Meadow', 'Granite', 'Orchard', 'Copper', 'Willow', 'Signal', 'Juniper', 'Marble'];
const verbs = ['Sketch', 'Review', 'Write', 'Test', 'Plan', 'Draw', 'Translate', 'Build'];
const word = (at: number): string => words[at % words.length] as string;
const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;
/** Neighbours differ. */
const mixed = (at: number): number => Math.imul(at + 1, 0x9e3779b1) >>> 8;
const day = (at: number): string => new Date(Date.UTC(2026, 0, 1) + (at % 700) * 86_400_000).toISOString();

const firstNames = [
  'Amara',
  'Bruno',
  'Chen',
  'Dalia',
  'Emil',
  'Farah',
  'Goran',
  'Hanne',
  'Ines',
  'Jonas',
  'Kofi',
  'Lena',
  'Mateo',
  'Nour',
  'Olga',
  'Pavel',
];

/** How many records each table has, and which belong together. */
interface Shape {
  counts: Record<Name, number>;
  /** A few projects have very many tasks, most have some. Neighbours share one, so that a request which makes records reaches few others. */
  projectOf: (task: number) => number;
  /** A project has a team of four. */
  assigneeOf: (task: number) => number;
  clientOf: (project: number) => number;
  projectOfInvoice: (invoice: number) => number;
}

const statuses = ['In progress', 'Done', 'In progress', 'Planned', 'Done', 'In progress'];
const statusOf = (project: number): string => pick(statuses, mixed(project));

/** What is done is up to the project. */
const isDone = (project: number, task: number): boolean =>
  statusOf(project) === 'Done' || (statusOf(project) === 'In progress' && mixed(task) % 5 > 1);

type To = (name: Name, at: number) => { id: string };

const cellsOf: Record<Name, (at: number, to: To, shape: Shape) => Cells> = {
  Clients: (at) => ({
    Name: `${word(at)} ${pick(['Ltd', 'GmbH', 'ApS', 'SARL'], mixed(at))}${at < words.length ? '' : ` ${at + 1}`}`,
    Contact: `office${at + 1}@example.com`,
    Country: pick(['Austria', 'Denmark', 'France', 'Portugal'], mixed(at)),
  }),
  People: (at) => ({
    Name: `${pick(firstNames, at)}${at < firstNames.length ? '' : ` ${at + 1}`}`,
    Role: pick(['Design', 'Development', 'Research', 'Writing'], at),
    Rate: 60 + (mixed(at) % 8) * 10,
  }),
  Projects: (at, to, { clientOf }) => ({
    Name: `${word(mixed(at))} ${pick(['website', 'catalogue', 'app', 'study'], at)} ${at + 1}`,
    Status: statusOf(at),
    Start: day(at * 11),
    Budget: 5_000 + (mixed(at) % 40) * 500,
    Client: to('Clients', clientOf(at)),
  }),
  Tasks: (at, to, { projectOf, assigneeOf }) => ({
    Name: `${pick(verbs, mixed(at))} the ${word(mixed(at + 7)).toLowerCase()} ${at + 1}`,
    Hours: 1 + (mixed(at) % 30) / 2,
    ...(isDone(projectOf(at), at) ? { Done: true } : {}),
    Due: day(projectOf(at) * 11 + (mixed(at) % 90)),
    Project: to('Projects', projectOf(at)),
    Assignee: to('People', assigneeOf(at)),
  }),
  Invoices: (at, to, { projectOfInvoice, clientOf }) => ({
    Number: `2026-${String(at + 1).padStart(5, '0')}`,
    Amount: 800 + (mixed(at) % 100) * 75,
    ...(mixed(at) % 4 === 0 ? {} : { Paid: true }),
    Sent: day(projectOfInvoice(at) * 11 + 60),
    Client: to('Clients', clientOf(projectOfInvoice(at))),
    Projects: [to('Projects', projectOfInvoice(at))],
  }),
};

/** Of a thousand records; a small base has at least as many as make it look like one. */
const shares: Record<Name, number> = { Clients: 10, People: 5, Projects: 45, Tasks: 850, Invoices: 90 };
const least: Record<Name, number> = { Clients: 6, People: 8, Projects: 12, Tasks: 2, Invoices: 10 };

const shapeFor = (records: number): Shape => {
  const counts = Object.fromEntries(
    names.map((name) => [name, Math.max(least[name], Math.round((records * shares[name]) / 1_000))]),
  ) as Record<Name, number>;
  counts.Tasks = Math.max(
    2,
    records - names.filter((name) => name !== 'Tasks').reduce((sum, name) => sum + counts[name], 0),
  );
  const projectOf = (task: number): number =>
    Math.min(counts.Projects - 1, Math.floor(counts.Projects * (task / counts.Tasks) ** 1.6));
  return {
    counts,
    projectOf,
    assigneeOf: (task) => (projectOf(task) * 3 + (mixed(task) % 4)) % counts.People,
    clientOf: (project) => mixed(project) % counts.Clients,
    projectOfInvoice: (invoice) =>
      Math.min(counts.Projects - 1, Math.floor((invoice * counts.Projects) / counts.Invoices)),
  };
};

const bodyOf = (
  { table, name, formula, link, source, rollup, onlyIf }: Computed,
  { fields, tableIds }: Sample,
): NewField => {
  const idOf = (on: Name, field: string): string => fields[on][field]?.id as string;
  if (formula !== undefined)
    return {
      name,
      type: 'formula',
      options: { expression: formula.replace(/\{([^}]+)\}/g, (_all, field: string) => `{${idOf(table, field)}}`) },
    };
  const through = fields[table][link as string] as Field;
  const foreign = names.find((one) => tableIds[one] === through.options['foreignTableId']) as Name;
  const filter =
    onlyIf === undefined
      ? {}
      : {
          filter: {
            conjunction: 'and',
            filterSet: [{ fieldId: idOf(foreign, onlyIf[0]), operator: 'is', value: onlyIf[1] }],
          },
        };
  const lookupOptions = {
    foreignTableId: tableIds[foreign],
    linkFieldId: through.id,
    ...(source === undefined ? {} : { lookupFieldId: idOf(foreign, source) }),
    ...filter,
  };
  if (source === undefined) return { name, type: 'count', lookupOptions };
  if (rollup !== undefined)
    return {
      name,
      type: 'rollup',
      options: {
        expression: `${rollup}({values})`,
        ...(rollup === 'countall' ? { formatting: { type: 'decimal', precision: 0 } } : {}),
      },
      lookupOptions,
    };
  return { name, type: (fields[foreign][source] as Field).type, isLookup: true, lookupOptions };
};

const perRequest = 1_000;

/** `say` is told what has been done. */
export const makeSample = async (
  call: Client,
  spaceId: string,
  records: number,
  say: (line: string) => void,
): Promise<Sample> => {
  const { id: baseId } = await call(createBase, { body: { spaceId, name: 'Agency', icon: '🗂️' } });
  const empty = <T>(value: () => T): Record<Name, T> =>
    Object.fromEntries(names.map((name) => [name, value()])) as Record<Name, T>;
  const sample: Sample = { baseId, tableIds: empty(() => ''), recordIds: empty(() => []), fields: empty(() => ({})) };
  for (const name of names) {
    const made = await call(createTable, {
      params: { baseId },
      body: { name, fields: plainFields[name], records: [] },
    });
    sample.tableIds[name] = made.id;
    for (const field of made.fields) sample.fields[name][field.name] = field;
  }
  const add = async (table: Name, body: NewField): Promise<Field> => {
    const made = await call(createField, { params: { tableId: sample.tableIds[table] }, body });
    sample.fields[table][made.name] = made;
    return made;
  };
  for (const [from, to, relationship, name, other] of links) {
    const { options } = await add(from, {
      name,
      type: 'link',
      options: { relationship, foreignTableId: sample.tableIds[to] },
    });
    await nameOther(call, sample, to, options['symmetricFieldId'] as string, other);
  }
  const shape = shapeFor(records);
  const { counts } = shape;
  const to: To = (foreign, at) => ({ id: sample.recordIds[foreign][at] as string });
  for (const name of names) {
    for (let first = 0; first < counts[name]; first += perRequest) {
      const batch = Array.from({ length: Math.min(perRequest, counts[name] - first) }, (_, at) => ({
        fields: cellsOf[name](first + at, to, shape),
      }));
      const made = await call(createRecords, { params: { tableId: sample.tableIds[name] }, body: { records: batch } });
      sample.recordIds[name].push(...made.records.map(({ id }) => id));
    }
    say(`${name}: ${counts[name].toLocaleString('en')} records`);
  }
  for (const one of computed) await add(one.table, bodyOf(one, sample));
  say(`${computed.length} computed fields`);
  return sample;
};

const nameOther = async (
  call: Client,
  { fields, tableIds }: Sample,
  table: Name,
  fieldId: string,
  name: string,
): Promise<void> => {
  await call(updateField, { params: { tableId: tableIds[table], fieldId }, body: { name } });
  fields[table][name] = await call(getField, { params: { tableId: tableIds[table], fieldId } });
};
