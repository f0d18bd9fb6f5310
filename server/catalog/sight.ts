// What a caller may see of a table: which fields, which records, and by the scopes of their credential whether cells and e-mail addresses at all. It is decided with the access of a request and asked for by
// everything that renders cells, so that nothing can forget it. See docs/adr/0017-sight.md.
import { forbidden } from '@rowhouse/contract/error.ts';
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import { type Eyes, eyesOf, type Principal } from './principal.ts';
import type { FieldSchema, TableSchema } from './table.ts';

/** The part of an access decision that a sight is made from. */
export interface SightRule {
  /** Ids of the fields that are shown; null for all, also those to come. */
  fieldIds: ReadonlySet<string> | null;
  /** Only records that meet this filter are shown; it may name fields that are not. null for all. */
  records: FilterGroup | null;
  /** Of the table that it was made from, when it was: with another one it means nothing. */
  version?: number;
  /** For people without an account: of a record its id, its name and its cells, and not its number, its times and its authors. */
  isPublic?: true;
  /** Of a share: its view. Files that were announced through its form can be used in answers to it. */
  viewId?: string;
  /** Whose epoch the decision rests on in place of the caller's: visitors of a share have no account, and are decided about again when that share changes. */
  restsOn?: string;
}

/** The id whose epoch counts, besides that of the space. */
export const epochHolder = ({ restsOn }: SightRule, userId: string): string => restsOn ?? userId;

export const seesEverything: SightRule = { fieldIds: null, records: null };

declare const brand: unique symbol;

/** Has the maps of a table with nothing in them but what is shown: anyone who looks a field up here finds no other. */
export interface Sight extends Eyes {
  /** Only `sightOf` makes one. */
  readonly [brand]: true;
  /** The whole of it: for what a request needs to know and does not show. */
  readonly table: TableSchema;
  readonly fields: readonly FieldSchema[];
  readonly byId: ReadonlyMap<string, FieldSchema>;
  readonly byName: ReadonlyMap<string, FieldSchema>;
  readonly byDbName: ReadonlyMap<string, FieldSchema>;
  readonly records: FilterGroup | null;
  /** Who looks: `me` in the filter, and when today is. */
  readonly asker: { userId: string; now: Date };
  /** Of the table. */
  readonly spaceId: string;
  readonly rule: SightRule;
  readonly hasAllFields: boolean;
  /** All fields and all records. */
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

export const sightOf = ({ access, principal, now }: Seeing, table: TableSchema): Sight =>
  make(access.sight, eyesOf(principal), { userId: principal.userId, now: now() }, access.spaceId as string, table);

/** The same sight of a newer snapshot of the table. */
export const sightOn = (sight: Sight, table: TableSchema): Sight =>
  make(sight.rule, sight, sight.asker, sight.spaceId, table);

/** The same fields and records with their cells, for what a request needs to know and does not show: to copy, compare or restore them. */
export const sightForUse = (sight: Sight): Sight =>
  sight.seesCells && sight.seesEmails
    ? sight
    : make(sight.rule, { seesEmails: true, seesCells: true }, sight.asker, sight.spaceId, sight.table);

/** Tells sights of the same fields and records apart that render different texts; empty for most. */
export const eyesKey = ({ seesEmails, seesCells }: Eyes): string =>
  seesEmails && seesCells ? '' : ` ${seesEmails ? 'emails' : ''} ${seesCells ? 'cells' : ''}`;

/** For the answer to those who have just made records: they see what they made, whichever records they see otherwise. */
export const sightOfOwn = (sight: Sight): Sight =>
  sight.records === null
    ? sight
    : make({ ...sight.rule, records: null }, sight, sight.asker, sight.spaceId, sight.table);

export type WholeSight = Sight & { readonly isWhole: true };

/** For what takes a table as it is, such as a copy of it: a part of it would be something else. */
export const demandWhole = (sight: Sight): WholeSight => {
  if (!sight.isWhole)
    throw forbidden(
      `You see only a part of the table ${JSON.stringify(sight.table.name)}; only somebody who sees all of it can copy it`,
    );
  return sight as WholeSight;
};

/** The same for callers that see the same. */
export const sightKey = ({ fieldIds, records, isPublic }: SightRule, principal: Seeing['principal']): string => {
  const eyes = `${isPublic === true ? 'public' : ''}${eyesKey(eyesOf(principal))}`;
  return fieldIds === null && records === null
    ? eyes
    : `${eyes} ${JSON.stringify([fieldIds === null ? null : [...fieldIds].toSorted(), records, principal.userId])}`;
};
