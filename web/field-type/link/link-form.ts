import { type Field, updateField } from '@rowhouse/contract/field.ts';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { fieldsQuery, knownTableName } from '../../record-data/queries.ts';
import type { FieldForm } from '../option/field-form.ts';
import { convertToLink } from './convert-to-link.ts';
import { LinkOptions } from './link-options.tsx';
import { linkOptionsOf } from './linked.ts';

/** The field at the other end has the name that was asked for, and is shown where its table is open. */
const finish = async (made: Field, otherName: string): Promise<void> => {
  const { foreignTableId, symmetricFieldId } = linkOptionsOf(made);
  if (symmetricFieldId !== undefined && otherName.trim() !== '')
    await call(updateField, {
      params: { tableId: foreignTableId, fieldId: symmetricFieldId },
      body: { name: otherName.trim() },
    });
  await queryClient.invalidateQueries({ queryKey: fieldsQuery(foreignTableId).queryKey });
};

export const linkForm: FieldForm = {
  Options: LinkOptions,
  isComplete: (options) => options['foreignTableId'] !== undefined,
  places: ['options.foreignTableId', 'options.relationship', 'options.isOneWay', 'options.filterByViewId'],
  finish,
  convertByTitle: ({ options, ...conversion }) =>
    convertToLink({
      ...conversion,
      link: { options },
      tableName: knownTableName(linkOptionsOf({ options }).foreignTableId),
    }),
};
