// Fields: types, options and the endpoints that change them.
import { type Static, Type } from 'typebox';

export const fieldTypes = [
  'singleLineText', 'longText', 'number', 'rating', 'checkbox', 'date', 'singleSelect', 'multipleSelect', 'user',
  'autoNumber', 'createdTime', 'lastModifiedTime', 'createdBy', 'lastModifiedBy',
] as const;

export const FieldTypeName = Type.Enum([...fieldTypes]);
export type FieldTypeName = (typeof fieldTypes)[number];

export const CellValueType = Type.Enum(['string', 'number', 'boolean', 'dateTime']);
export type CellValueType = Static<typeof CellValueType>;

export const DbFieldType = Type.Enum(['TEXT', 'REAL', 'INTEGER', 'BOOLEAN', 'DATETIME', 'JSON']);
export type DbFieldType = Static<typeof DbFieldType>;

export const colors = [
  'blueLight2', 'blueLight1', 'blueBright', 'blue', 'blueDark1',
  'cyanLight2', 'cyanLight1', 'cyanBright', 'cyan', 'cyanDark1',
  'grayLight2', 'grayLight1', 'grayBright', 'gray', 'grayDark1',
  'greenLight2', 'greenLight1', 'greenBright', 'green', 'greenDark1',
  'orangeLight2', 'orangeLight1', 'orangeBright', 'orange', 'orangeDark1',
  'pinkLight2', 'pinkLight1', 'pinkBright', 'pink', 'pinkDark1',
  'purpleLight2', 'purpleLight1', 'purpleBright', 'purple', 'purpleDark1',
  'redLight2', 'redLight1', 'redBright', 'red', 'redDark1',
  'tealLight2', 'tealLight1', 'tealBright', 'teal', 'tealDark1',
  'yellowLight2', 'yellowLight1', 'yellowBright', 'yellow', 'yellowDark1',
] as const;
