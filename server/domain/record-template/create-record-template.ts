import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { conflict, forbidden, notFound } from '@rowhouse/contract/error.ts';
import type { createRecordTemplate as endpoint, RecordTemplate } from '@rowhouse/contract/record-template.ts';
import { uniqueName } from '@rowhouse/contract/text.ts';
import { can } from '../../catalog/access.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import { selectRecords } from '../record/read/read.sql.ts';
import { changeTemplates } from './change-templates.ts';
import { insertTemplate } from './record-template.sql.ts';
import { fittingCells, mayHold, withGiven } from './template-cells.ts';

export const maxTemplates = 100;

const nothing = { cells: {}, choices: {} };

/** What a template can have of a record: not people who have left, nor records that the caller does not see. */
const cellsOf = async (context: Context, sight: Sight, recordId: string): Promise<Record<string, unknown>> => {
  if (!sight.seesCells || !can(context.access, 'record|read'))
    throw forbidden('A template is made from a record by those who may read it: this needs record|read');
  const [row] = await selectRecords(context.db, sight, [recordId], {
    fields: sight.fields.filter(mayHold),
    keyType: 'id',
    format: 'json',
  });
  if (row === undefined) throw notFound('Record', recordId);
  const { fields } = JSON.parse(`${row.json}}`) as { fields: Record<string, unknown> };
  const [fitting] = await fittingCells(context, sight, [{ cells: fields, choices: {} }]);
  return fitting ?? {};
};

export const createRecordTemplate = (
  context: Context,
  tableId: string,
  { name, recordId, fields = {}, fieldKeyType = 'name' }: BodyOf<typeof endpoint>,
): Promise<RecordTemplate> =>
  changeTemplates(context, tableId, async ({ context: within, tx, sight, present }) => {
    if (present.length >= maxTemplates)
      throw conflict(`A table has at most ${maxTemplates} record templates: delete another first`);
    const copied =
      recordId === undefined
        ? nothing
        : await withGiven(within, sight, nothing, await cellsOf(within, sight, recordId), 'id');
    return insertTemplate(tx, tableId, {
      ...(await withGiven(within, sight, copied, fields, fieldKeyType)),
      id: context.newId('rtp'),
      name: uniqueName(
        name,
        present.map((one) => one.name),
      ),
      createdBy: context.principal.userId,
    });
  });
