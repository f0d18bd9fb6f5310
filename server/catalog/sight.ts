// What a caller may see of a table: which fields, which records, and by the scopes of their credential whether cells and e-mail addresses at all. It is decided with the access of a request and asked for by
// everything that renders cells, so that nothing can forget it. See docs/adr/0017-sight.md.
import { forbidden, notFound } from '@rowhouse/contract/error.ts';
import { anyAsker, type Asker } from './asker.ts';
import type { RecordCondition } from './condition.ts';
import { type Eyes, eyesOf, type Principal } from './principal.ts';
import { epochHolder, hasMasks, isWholeTable, type Rights, type TableRights } from './rights.ts';
import { isReadIn, isShownIn } from './shown-fields.ts';
import { type FieldSchema, maskedField, type TableSchema, type ViewSchema } from './table.ts';

declare const brand: unique symbol;

/** Has the same lookup maps as a table, but with visible fields only. */
export interface Sight extends Eyes {
  /** Only `sightOf` can make one. */
  readonly [brand]: true;
  /** The whole table, for what a request needs to know but does not show. */
  readonly table: TableSchema;
  readonly fields: readonly FieldSchema[];
  readonly byId: ReadonlyMap<string, FieldSchema>;
  readonly byName: ReadonlyMap<string, FieldSchema>;
  readonly byDbName: ReadonlyMap<string, FieldSchema>;
  /** Which records are visible. */
  readonly rows: RecordCondition;
  /** The reader: who `me` is in a filter, and when today is. */
  readonly asker: Asker;
  /** The space of the table. */
  readonly spaceId: string;
  readonly rule: TableRights;
  /** The sight of another table; 404 where there is none for this caller. */
  to(table: TableSchema): Sight;
  /** Whose epoch it depends on, besides that of the space. */
  readonly restsOn: string;
  /** All cells of all fields. */
  readonly hasAllFields: boolean;
  /** Some cells are hidden by a condition on their record, or hold links of which some are hidden. */
  readonly isMasked: boolean;
  /** All fields and all records are visible. */
  readonly isWhole: boolean;
}

export interface Seeing {
  access: { rights: Rights; spaceId: string | null };
  principal: Pick<Principal, 'userId' | 'scopes'>;
  now: () => Date;
}

type Fields = Pick<Sight, 'fields' | 'byId' | 'byName' | 'byDbName'>;

const made = new WeakMap<TableRights, WeakMap<TableSchema, Fields>>();

/** The visible fields; those with hidden cells as copies, whose own column nothing reaches through the sight. */
const fieldsOf = (rule: TableRights, table: TableSchema): Fields => {
  const { fieldIds, cells, items } = rule;
  if (fieldIds === null && !hasMasks(rule)) return table;
  const known = made.get(rule) ?? new WeakMap<TableSchema, Fields>();
  made.set(rule, known);
  const found = known.get(table);
  if (found !== undefined) return found;
  const isMasked = ({ id, computed }: FieldSchema): boolean =>
    computed?.state !== 'broken' && (cells?.has(id) === true || items?.has(id) === true);
  const fields = table.fields
    .filter(({ id }) => fieldIds === null || fieldIds.has(id))
    .map((field) => (isMasked(field) ? maskedField(field) : field));
  const by = (key: 'id' | 'name' | 'dbFieldName') => new Map(fields.map((field) => [field[key], field]));
  const all = { fields, byId: by('id'), byName: by('name'), byDbName: by('dbFieldName') };
  known.set(table, all);
  return all;
};

/** What stays the same for all tables that somebody looks at. */
interface Looking {
  rights: Rights;
  eyes: Eyes;
  asker: Asker;
  spaceId: string;
}

const make = (looking: Looking, rule: TableRights, table: TableSchema): Sight => {
  const { rows } = rule;
  const { asker, spaceId, rights } = looking;
  const { seesEmails, seesCells } = looking.eyes;
  const fields = fieldsOf(rule, table);
  const isMasked = hasMasks(rule);
  const sight = {
    table,
    fields: fields.fields,
    byId: fields.byId,
    byName: fields.byName,
    byDbName: fields.byDbName,
    rows,
    asker,
    spaceId,
    rule,
    to: (other) => look(looking, other),
    restsOn: epochHolder(rights, asker.userId),
    hasAllFields: rule.fieldIds === null && !isMasked,
    isMasked,
    isWhole: isWholeTable(rule),
    seesEmails,
    seesCells,
  } satisfies Omit<Sight, typeof brand> as Sight;
  lookings.set(sight, looking);
  return sight;
};

const lookings = new WeakMap<Sight, Looking>();
const lookingOf = (sight: Sight): Looking => lookings.get(sight) as Looking;

const look = (looking: Looking, table: TableSchema): Sight => {
  const rule = looking.rights.on === undefined ? looking.rights.of(table.id) : looking.rights.on(table);
  if (rule === null) throw notFound('Table', table.id);
  return make(looking, rule, table);
};

/** A view that is there for the caller: one that their rules list, or a personal one of their own. */
export const seesView = (
  { rule: { viewIds }, table, asker }: Pick<Sight, 'rule' | 'table' | 'asker'>,
  viewId: string,
): boolean =>
  viewIds == null ||
  viewIds.has(viewId) ||
  table.views.some(({ id, ownerId }) => id === viewId && ownerId === asker.userId);

/** 404 for one that is not there for the caller, as for one that is not there at all. */
export const viewIn = (sight: Pick<Sight, 'rule' | 'table' | 'asker'>, viewId: string): ViewSchema => {
  const view = sight.table.views.find(({ id }) => id === viewId);
  if (view === undefined || !seesView(sight, viewId)) throw notFound('View', viewId.slice(0, 50));
  return view;
};

type OfSight = Pick<Sight, 'fields' | 'rule'>;

/** A share was made from its view and has decided already: with the fields that the view hides, when somebody wanted that. */
const through = (
  { fields, rule }: OfSight,
  view: ViewSchema | undefined,
  test: typeof isShownIn,
): readonly FieldSchema[] => (view === undefined || rule.viewId === view.id ? fields : fields.filter(test(view)));

/** What of it a view shows. */
export const shownIn = (sight: OfSight, view: ViewSchema): readonly FieldSchema[] => through(sight, view, isShownIn);

/** What of it is read through a view when no fields are named. */
export const readIn = (sight: OfSight, view: ViewSchema | undefined): readonly FieldSchema[] =>
  through(sight, view, isReadIn);

/** What the caller sees of a table; 404 where there is none for them. */
export const sightOf = ({ access, principal, now }: Seeing, table: TableSchema): Sight =>
  look(
    {
      rights: access.rights,
      eyes: eyesOf(principal),
      asker: { userId: principal.userId, now: now() },
      spaceId: access.spaceId as string,
    },
    table,
  );

/** The same sight of nobody in particular, for a statement that is made once and run by all who have the same rights. */
export const sightOfMany = (sight: Sight, later: NonNullable<Asker['later']>): Sight => {
  const looking = { ...lookingOf(sight), asker: anyAsker(later) };
  const many = { ...sight, asker: looking.asker, to: (other: TableSchema) => look(looking, other) };
  lookings.set(many, looking);
  return many;
};

const identities = new WeakMap<TableRights, WeakMap<TableSchema, object>>();

/** The same object for everybody who has the same rights on the same snapshot: statements that write are remembered by it. */
export const rightsIdentity = ({ table, rule }: Pick<Sight, 'table' | 'rule'>): object => {
  const known = identities.get(rule) ?? new WeakMap<TableSchema, object>();
  identities.set(rule, known);
  const found = known.get(table) ?? {};
  known.set(table, found);
  return found;
};

/** The same for those who see the same: who sees all is one of many, whatever they may write. */
export const sightIdentity = (sight: Sight): object => (sight.isWhole ? sight.table : rightsIdentity(sight));

/** The same sight of a newer snapshot of the table. */
export const sightOn = (sight: Sight, table: TableSchema): Sight => {
  const looking = lookingOf(sight);
  return looking.rights.on === undefined ? make(looking, sight.rule, table) : look(looking, table);
};

/** In which records of another table of the base the cells of a field are seen, for those who are bound by rules; undefined for others. */
export const cellBeside = (sight: Sight, tableId: string, fieldId: string): RecordCondition | undefined =>
  lookingOf(sight).rights.cell?.(tableId, fieldId);

/** Which records of another table of the base are seen, for those who are bound by rules; all for others, whom the sight of the own table alone narrows. */
export const rowsBeside = (sight: Sight, tableId: string): RecordCondition => {
  const { rights } = lookingOf(sight);
  return rights.cell === undefined ? true : (rights.of(tableId)?.rows ?? false);
};

/** The views of a table of the base that are there by rules. Null: all. */
export const viewsBeside = (sight: Sight, tableId: string): ReadonlySet<string> | null =>
  lookingOf(sight).rights.bound?.views(tableId) ?? null;

/** The same fields and records, but with cells and e-mail addresses, for copying, comparing or restoring them without showing them. */
export const sightForUse = (sight: Sight): Sight =>
  sight.seesCells && sight.seesEmails
    ? sight
    : make({ ...lookingOf(sight), eyes: { seesEmails: true, seesCells: true } }, sight.rule, sight.table);

/** Distinguishes sights that render the same records differently. Empty for most sights. */
export const eyesKey = ({ seesEmails, seesCells }: Eyes): string =>
  seesEmails && seesCells ? '' : ` ${seesEmails ? 'emails' : ''} ${seesCells ? 'cells' : ''}`;

/** For the answer to a create: people see the records they made, even those that their filter hides later. */
export const sightOfOwn = (sight: Sight): Sight =>
  sight.rows === true ? sight : make(lookingOf(sight), { ...sight.rule, rows: true }, sight.table);

export type WholeSight = Sight & { readonly isWhole: true };

/** For operations that need the whole table, such as a copy of it. */
export const demandWhole = (sight: Sight): WholeSight => {
  if (!sight.isWhole)
    throw forbidden(
      `You see only a part of the table ${JSON.stringify(sight.table.name)}; only somebody who sees all of it can copy it`,
    );
  return sight as WholeSight;
};

/** A key that is equal for callers who see the same of a table. */
export const sightKey = (rights: TableRights | null, principal: Seeing['principal']): string => {
  if (rights === null) return 'nothing';
  const { fieldIds, rows, isPublic, hidesFacts, cells, items, key } = rights;
  const eyes = `${isPublic === true ? 'public' : ''}${hidesFacts === true ? 'no facts' : ''}${eyesKey(eyesOf(principal))}`;
  return isWholeTable(rights)
    ? eyes
    : `${eyes} ${JSON.stringify([fieldIds === null ? null : [...fieldIds].toSorted(), rows, principal.userId, [...(cells ?? [])], [...(items ?? [])], key])}`;
};
