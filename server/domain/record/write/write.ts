// What the plans of creating and updating share.
import { invalid } from '@rowhouse/contract/error.ts';
import { seesDefinitions } from '../../../catalog/principal.ts';
import type { FieldSchema } from '../../../catalog/table.ts';
import type { Context } from '../../../context.ts';
import type { CellContext, Person } from '../../cell/type.ts';
import { choicesOf, type Choice } from '../../cell/kind/choice.sql.ts';
import { colorAt } from '../../cell/type/select.ts';
import { newId } from '@rowhouse/contract/id.ts';
import type { OperationFacts } from '../../../catalog/operation.sql.ts';
import type { CreateOperation } from './insert.sql.ts';

export const operationOf = (
  context: Context,
  kind: OperationFacts['kind'],
  notify: string | null = null,
): OperationFacts => ({
  publicId: context.newId('opr'),
  kind,
  actor: context.principal.userId,
  tokenId: context.principal.tokenId,
  clientId: context.principal.clientId,
  notify,
  step: context.step,
});

export const createOperationOf = (context: Context, count: number, notify: string | null): CreateOperation => ({
  publicId: context.newId('opr'),
  kind: 'create',
  actor: context.principal.userId,
  tokenId: context.principal.tokenId,
  clientId: context.principal.clientId,
  notify,
  step: context.step,
  count,
});

export const refuseTooMany = (count: number, limit: number): void => {
  if (count > limit)
    throw invalid({
      path: 'records',
      message: `Expected at most ${limit} records in one request, got ${count}`,
      expected: `at most ${limit} records`,
    });
};

/** Choices that a request adds, by field: filled while its cells are read. */
export type NewChoices = Map<FieldSchema, Map<string, Choice>>;

export const cellContext = (
  context: Context,
  people: readonly Person[],
  added: NewChoices,
  files?: CellContext['files'],
): CellContext => ({
  now: context.now(),
  callerId: context.principal.userId,
  people,
  files,
  areChoicesHidden: !seesDefinitions(context.principal),
  addChoice(field, name) {
    // Somebody without an account does not change the fields of a table.
    if (context.access.rights.of(context.access.tableId ?? '')?.isPublic === true) return null;
    const choices = added.get(field) ?? new Map<string, Choice>();
    added.set(field, choices);
    if (!choices.has(name))
      choices.set(name, { id: newId('cho'), name, color: colorAt(choicesOf(field.options).length + choices.size) });
    return name;
  },
});

/** Every key that any row uses. */
export const keysOf = (rows: readonly { fields: Record<string, unknown> }[]): ReadonlySet<string> => {
  const keys = new Set<string>();
  for (const { fields } of rows) for (const key of Object.keys(fields)) keys.add(key);
  return keys;
};
