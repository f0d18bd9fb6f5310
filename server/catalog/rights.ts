// What a caller sees of the tables of a base, decided with their access. Everything that shows cells takes the rights of its table from here;
// no rule is ever laid on another table than its own. See docs/adr/0110-rights-of-a-base.md.
import type { Action } from '@rowhouse/contract/permission.ts';
import type { RecordCondition } from './condition.ts';
import type { TableSchema } from './table.ts';

/** What is seen of the records that a link leads to. */
export interface SeenItems {
  /** Which of them. */
  readonly rows: RecordCondition;
  /** Which of these with their title. */
  readonly title: RecordCondition;
}

/** What rules allow of writing: these fields of records that meet a condition. */
export interface WriteGrant {
  /** Null: all fields, including future ones. */
  readonly fields: ReadonlySet<string> | null;
  /** Met by the record before the write; of a record that is created nothing is asked here. */
  readonly when: RecordCondition;
  /** Met by the record after it. */
  readonly after: RecordCondition;
  /** Shown to those whom only the conditions keep out. */
  readonly memo?: string | undefined;
}

/** By what is done with a record. An action without a grant is not allowed. */
export interface TableMay {
  readonly create: readonly WriteGrant[];
  readonly update: readonly WriteGrant[];
  readonly delete: readonly WriteGrant[];
  readonly comment: readonly WriteGrant[];
  readonly copy: readonly WriteGrant[];
}

export interface TableRights {
  /** Ids of the visible fields. Null: all fields, including future ones. */
  readonly fieldIds: ReadonlySet<string> | null;
  /** Records that are visible. It may use fields that are not. */
  readonly rows: RecordCondition;
  /** Fields whose cells are visible only in records that meet a condition, besides `rows`. */
  readonly cells?: ReadonlyMap<string, RecordCondition>;
  /** Link fields of which not every linked record is visible. */
  readonly items?: ReadonlyMap<string, SeenItems>;
  /** What may be written, for those who are bound by rules. Absent: what the role allows, of all that is seen. */
  readonly may?: TableMay | undefined;
  /** Set for rights that rules give: equal for callers who have the same rights on all tables of the base. */
  readonly key?: string;
  /** Version of the table that this was derived from, if it was. With another version it is void. */
  readonly version?: number;
  /** For visitors without an account: they see id, name and cells of a record, but not its number, times and authors. */
  readonly isPublic?: true;
  /** Ids of the views that are there. Null or absent: all. */
  readonly viewIds?: ReadonlySet<string> | null;
  /** Numbers, times and authors of records are not told. */
  readonly hidesFacts?: true;
  /** The view of a share. Submissions of its form may use files that were uploaded through that form. */
  readonly viewId?: string;
}

/** Of somebody who is bound by the rules of a base. */
interface Bound {
  /** Equal for those for whom the same rules say the same. */
  readonly key: string;
  /** Equal for those whom the same rules bind, whatever these make of values of the reader. */
  readonly rules: string;
  /** Set where rules compare with values of the reader: the tables whose cells these are. What was decided is good for a moment then. */
  readonly asks?: ReadonlySet<string>;
  /** On a table, or where it names none on any table. */
  allows(action: Action, tableId: string | null): boolean;
  /** Ids of the views that are there. Null: all. */
  views(tableId: string): ReadonlySet<string> | null;
}

export interface Rights {
  /** Null: for this caller there is no such table. */
  of(tableId: string): TableRights | null;
  /** The same for one snapshot of a table, with what follows for its computed fields and links. Absent: what `of` says is all. */
  on?(table: TableSchema): TableRights | null;
  /** In which records of a table the cells of a field are granted; false: in none. Absent: what `of` says is all. */
  cell?(tableId: string, fieldId: string): RecordCondition;
  /** Set for those who are bound by rules. */
  readonly bound?: Bound;
  /** Whose epoch the decision depends on, if not the caller's: visitors of a share have no account, so the share's own epoch is used. */
  readonly restsOn?: string;
}

export const wholeTable: TableRights = { fieldIds: null, rows: true };

/** Of everybody with a role. */
export const everything: Rights = { of: () => wholeTable };

/** Of one table and nothing else, as a share has them. */
export const rightsOn = (tableId: string, rights: TableRights, restsOn?: string): Rights => ({
  of: (id) => (id === tableId ? rights : null),
  ...(restsOn === undefined ? {} : { restsOn }),
});

/** Whose epoch the decision depends on, besides that of the space. */
export const epochHolder = ({ restsOn }: Pick<Rights, 'restsOn'>, userId: string): string => restsOn ?? userId;

export const hasMasks = ({ cells, items }: Pick<TableRights, 'cells' | 'items'>): boolean =>
  (cells !== undefined && cells.size > 0) || (items !== undefined && items.size > 0);

/** Rights by rules are whole only once that is known of a snapshot: computed fields depend on other tables. */
export const isWholeTable = (rights: TableRights): boolean =>
  rights.fieldIds === null &&
  rights.rows === true &&
  rights.key === undefined &&
  rights.hidesFacts !== true &&
  !hasMasks(rights);
