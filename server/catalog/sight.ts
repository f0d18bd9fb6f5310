// What a caller may see of a table: which fields, which records, and by the scopes of their credential whether cells and e-mail addresses at all. It is decided with the access of a request and asked for by
// everything that renders cells, so that nothing can forget it. See docs/adr/0017-sight.md.
import { forbidden } from '@rowhouse/contract/error.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { type Eyes, eyesOf, type Principal } from './principal.ts';
import { isReadIn, isShownIn } from './shown-fields.ts';
import type { FieldSchema, TableSchema, ViewSchema } from './table.ts';

/** The part of an access decision that determines the sight. */
export interface SightRule {
  /** Ids of the visible fields. Null: all fields, including future ones. */
  fieldIds: ReadonlySet<string> | null;
  /** Only records that match this filter are visible. It may use fields that are not visible. Null: all records. */
  records: FilterGroup | null;
  /** Version of the table that this was derived from, if it was. With another version it is void. */
  version?: number;
  /** For visitors without an account: they see id, name and cells of a record, but not its number, times and authors. */
  isPublic?: true;
  /** The view of a share. Submissions of its form may use files that were uploaded through that form. */
  viewId?: string;
  /** Whose epoch the decision depends on, if not the caller's: visitors of a share have no account, so the share's own epoch is used. */
  restsOn?: string;
}

/** Whose epoch the decision depends on, besides that of the space. */
export const epochHolder = ({ restsOn }: SightRule, userId: string): string => restsOn ?? userId;

export const seesEverything: SightRule = { fieldIds: null, records: null };

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
  readonly records: FilterGroup | null;
  /** The reader: who `me` is in a filter, and when today is. */
  readonly asker: { userId: string; now: Date };
  /** The space of the table. */
  readonly spaceId: string;
  readonly rule: SightRule;
  readonly hasAllFields: boolean;
  /** All fields and all records are visible. */
  readonly isWhole: boolean;
}

export interface Seeing {
  access: { sight: SightRule; spaceId: string | null };
  principal: Pick<Principal, 'userId' | 'scopes'>;
  now: () => Date;
}

const shown = (map: ReadonlyMap<string, FieldSchema>, fieldIds: ReadonlySet<string>): Map<string, FieldSchema> =>
  new Map([...map].filter(([, { id }]) => fieldIds.has(id)));

const make = (
  rule: SightRule,
  { seesEmails, seesCells }: Eyes,
  asker: Sight['asker'],
  spaceId: string,
  table: TableSchema,
): Sight => {
  const { fieldIds, records } = rule;
  const fields =
    fieldIds === null
      ? table
      : {
          fields: table.fields.filter(({ id }) => fieldIds.has(id)),
          byId: shown(table.byId, fieldIds),
          byName: shown(table.byName, fieldIds),
          byDbName: shown(table.byDbName, fieldIds),
        };
  return {
    table,
    fields: fields.fields,
    byId: fields.byId,
    byName: fields.byName,
    byDbName: fields.byDbName,
    records,
    asker,
    spaceId,
    rule,
    hasAllFields: fieldIds === null,
    isWhole: fieldIds === null && records === null,
    seesEmails,
    seesCells,
  } as Sight;
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

export const sightOf = ({ access, principal, now }: Seeing, table: TableSchema): Sight =>
  make(access.sight, eyesOf(principal), { userId: principal.userId, now: now() }, access.spaceId as string, table);

/** The same sight of a newer snapshot of the table. */
export const sightOn = (sight: Sight, table: TableSchema): Sight =>
  make(sight.rule, sight, sight.asker, sight.spaceId, table);

/** The same fields and records, but with cells and e-mail addresses, for copying, comparing or restoring them without showing them. */
export const sightForUse = (sight: Sight): Sight =>
  sight.seesCells && sight.seesEmails
    ? sight
    : make(sight.rule, { seesEmails: true, seesCells: true }, sight.asker, sight.spaceId, sight.table);

/** Distinguishes sights that render the same records differently. Empty for most sights. */
export const eyesKey = ({ seesEmails, seesCells }: Eyes): string =>
  seesEmails && seesCells ? '' : ` ${seesEmails ? 'emails' : ''} ${seesCells ? 'cells' : ''}`;

/** For the answer to a create: people see the records they made, even those that their filter hides later. */
export const sightOfOwn = (sight: Sight): Sight =>
  sight.records === null
    ? sight
    : make({ ...sight.rule, records: null }, sight, sight.asker, sight.spaceId, sight.table);

export type WholeSight = Sight & { readonly isWhole: true };

/** For operations that need the whole table, such as a copy of it. */
export const demandWhole = (sight: Sight): WholeSight => {
  if (!sight.isWhole)
    throw forbidden(
      `You see only a part of the table ${JSON.stringify(sight.table.name)}; only somebody who sees all of it can copy it`,
    );
  return sight as WholeSight;
};

/** A key that is equal for callers who see the same. */
export const sightKey = ({ fieldIds, records, isPublic }: SightRule, principal: Seeing['principal']): string => {
  const eyes = `${isPublic === true ? 'public' : ''}${eyesKey(eyesOf(principal))}`;
  return fieldIds === null && records === null
    ? eyes
    : `${eyes} ${JSON.stringify([fieldIds === null ? null : [...fieldIds].toSorted(), records, principal.userId])}`;
};
