// Fields that show what the server knows of a record: they have no column of their own and are read-only.
import { Type } from 'typebox';
import type { CellValueType, DbFieldType, FieldTypeName } from '@rowhouse/contract/field.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CellResult, FieldType, Stored } from '../type.ts';
import { dateFormatting, dateJson, dateText, formattingOf } from './date-format.ts';

const refused: CellResult = { ok: false, expected: 'nothing: this field is computed' };

const systemType = (parts: {
  type: FieldTypeName;
  defaultName: string;
  systemColumn: string;
  cellValueType: CellValueType;
  dbFieldType: DbFieldType;
  dated?: boolean;
  json: FieldType['json'];
  text: FieldType['text'];
}): FieldType => ({
  type: parts.type,
  defaultName: parts.defaultName,
  optionsSchema: Type.Object(parts.dated === true ? { formatting: Type.Optional(Type.Partial(dateFormatting)) } : {}),
  column: null,
  systemColumn: parts.systemColumn,
  isComputed: true,
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: false,
  cellValueType: parts.cellValueType,
  dbFieldType: parts.dbFieldType,
  isMultiple: () => false,
  completeOptions: (given) => (parts.dated === true ? { formatting: formattingOf(given) } : {}),
  read: () => refused,
  cast: () => ({ value: null }),
  defaultCell: () => null,
  show: (stored: Stored) => stored,
  json: parts.json,
  text: parts.text,
});

const personJson = (column: Sql): Sql =>
  sql`(select json_strip_nulls(json_build_object('id', u.id, 'title', u.name, 'email', u.email, 'avatarUrl', u.avatar))::text from rowhouse.users u where u.id = ${column})`;

const personText = (column: Sql): Sql => sql`(select u.name from rowhouse.users u where u.id = ${column})`;

const dated = { cellValueType: 'dateTime', dbFieldType: 'DATETIME', dated: true, json: dateJson } as const;
const person = { cellValueType: 'string', dbFieldType: 'JSON', json: personJson, text: personText } as const;

export const autoNumber = systemType({
  type: 'autoNumber',
  defaultName: 'ID',
  systemColumn: '__auto_number',
  cellValueType: 'number',
  dbFieldType: 'INTEGER',
  json: (column) => sql`${column}::text`,
  text: (column) => sql`${column}::text`,
});

export const createdTime = systemType({
  ...dated,
  type: 'createdTime',
  defaultName: 'Created Time',
  systemColumn: '__created_time',
  text: (column, field) => dateText(column, formattingOf(field.options)),
});

export const lastModifiedTime = systemType({
  ...dated,
  type: 'lastModifiedTime',
  defaultName: 'Last Modified Time',
  systemColumn: '__last_modified_time',
  text: (column, field) => dateText(column, formattingOf(field.options)),
});

export const createdBy = systemType({ ...person, type: 'createdBy', defaultName: 'Created by', systemColumn: '__created_by' });

export const lastModifiedBy = systemType({ ...person, type: 'lastModifiedBy', defaultName: 'Last modified by', systemColumn: '__last_modified_by' });
