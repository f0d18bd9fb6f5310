// Whether the links of a base are whole: keys, other sides, and the cells that follow from them.
import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';

const integrityIssueTypes = [
  'ForeignTableNotFound',
  'ForeignKeyNotFound',
  'SelfKeyNotFound',
  'SymmetricFieldNotFound',
  'MissingRecordReference',
  'InvalidLinkReference',
  'ForeignKeyHostTableNotFound',
  'ReferenceFieldNotFound',
] as const;

const Issue = Type.Object({
  type: Type.Enum([...integrityIssueTypes]),
  message: Type.String(),
  fieldId: Type.String(),
  tableId: Type.Optional(Type.String()),
});
export type IntegrityIssue = Static<typeof Issue>;

const tag = 'Integrity';
const params = Type.Object({ baseId: Type.String() });

export const checkIntegrity = endpoint({
  name: 'checkIntegrity',
  method: 'GET',
  path: '/integrity/base/:baseId/link-check',
  summary: 'Check the links of a base',
  description:
    'Compares keys of links, other sides, and the cells of links and of what is computed through them with what they should be. Reads every record of linked tables.',
  tag,
  access: { on: 'base', action: 'table|create' },
  params,
  query: Type.Object({ tableId: Type.Optional(Type.String({ maxLength: 100, description: 'Only of this table.' })) }),
  status: 200,
  response: Type.Object({
    hasIssues: Type.Boolean(),
    linkFieldIssues: Type.Array(
      Type.Object({
        baseId: Type.String(),
        baseName: Type.String(),
        tableId: Type.String(),
        tableName: Type.String(),
        issues: Type.Array(Issue),
      }),
    ),
  }),
});

export const fixIntegrity = endpoint({
  name: 'fixIntegrity',
  method: 'POST',
  path: '/integrity/base/:baseId/link-fix',
  summary: 'Repair the links of a base',
  description:
    'The answer is what was found and repaired. Keys that lead to no record are removed, missing keys are made again, a link whose other side is gone becomes one-way, and cells are computed again. Nobody writes linked tables of the base meanwhile.',
  tag,
  access: { on: 'base', action: 'table|create' },
  params,
  query: Type.Object({ tableId: Type.Optional(Type.String({ maxLength: 100 })) }),
  status: 201,
  response: Type.Array(Issue),
});
