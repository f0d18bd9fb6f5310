// POST /table/:tableId/record/form-submit: a new record, as a form asks for it.
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, type Issue, invalid } from '@rowhouse/contract/error.ts';
import { askedFields, type FormColumns, formFields, type submitForm as endpoint } from '@rowhouse/contract/form.ts';
import type { MatchField } from '@rowhouse/contract/matches.ts';
import { noteForm } from '../../../catalog/operation.sql.ts';
import { type Sight, viewIn } from '../../../catalog/sight.ts';
import type { FieldSchema, ViewSchema } from '../../../catalog/table.ts';
import type { Context, Unconfirmed } from '../../../context.ts';
import { guardedWrite, Unwritten } from '../../../pipeline/pipeline.ts';
import { Stale } from '../../../pipeline/stale.ts';
import { filterFieldOf } from '../../field/field-vo.ts';
import {
  announceCreate,
  createdRecords,
  planCreate,
  type PlannedCreate,
  writeCreate,
  type WrittenCreate,
} from './create-records.ts';

type Body = BodyOf<typeof endpoint>;

interface FormField extends MatchField {
  field: FieldSchema;
}

const formOf = (sight: Sight, viewId: string): ViewSchema => {
  const view = viewIn(sight, viewId);
  if (shapeOf(view.type).share !== 'answers')
    throw invalid({
      path: 'viewId',
      message: `The view ${JSON.stringify(view.name)} is of type ${view.type}`,
      expected: 'the id of a form view',
    });
  return view;
};

const demandShown = (inForm: readonly FormField[], given: Body['fields']): void => {
  const known = new Set(inForm.map(({ id }) => id));
  const unknown = Object.keys(given).filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw forbidden(
      `The form does not ask for ${unknown
        .slice(0, 10)
        .map((id) => JSON.stringify(id.slice(0, 100)))
        .join(', ')}`,
    );
};

/** Judged by what would be stored: converted, and with the default values of the fields. */
const demandAnswers = (
  inForm: readonly FormField[],
  columns: FormColumns,
  { columns: stored }: PlannedCreate,
  given: Body['fields'],
  { principal, now }: Context,
): void => {
  const cells = Object.fromEntries(stored.map(({ field, values }) => [field.id, values[0]]));
  const asked = new Set(askedFields(inForm, columns, cells, { userId: principal.userId, now: now() }));
  const issues = inForm.flatMap((one): Issue[] => {
    const { id, field } = one;
    const path = `fields.${id}`;
    if (!asked.has(one))
      return (given[id] ?? null) === null
        ? []
        : [{ path, message: `The form does not ask for "${field.name}" with these answers`, expected: 'no value' }];
    const isMissing = columns[id]?.required === true && (cells[id] ?? null) === null;
    return isMissing ? [{ path, message: `"${field.name}" must not be empty`, expected: 'a value' }] : [];
  });
  if (issues.length > 0) throw invalid(issues);
};

export const submitForm = (
  request: Unconfirmed,
  { viewId, fields, typecast = false }: Body,
): Promise<{ operationId: string; text: string }> =>
  guardedWrite<PlannedCreate, WrittenCreate, { operationId: string; text: string }>(request, {
    async plan(context, sight) {
      const view = formOf(sight, viewId);
      const columns = view.columnMeta as FormColumns;
      const inForm = formFields(
        sight.fields.map((field): FormField => ({ ...filterFieldOf(field), options: field.options, field })),
        columns,
      );
      demandShown(inForm, fields);
      const planned = await planCreate(context, sight, {
        rows: [{ fields }],
        keyType: 'id',
        typecast,
        placeOf: (_index, id) => `fields.${id}`,
      });
      demandAnswers(inForm, columns, planned, fields, context);
      return planned;
    },
    needsTransaction: () => true,
    async write(context, planned) {
      const written = await writeCreate(context, planned);
      // Automations that a form starts find it there.
      if (!(written instanceof Unwritten))
        await noteForm(context.db, planned.sight.table.baseId, planned.operation.publicId, viewId);
      return written;
    },
    refuse: async () => new Stale('access'),
    answer(context, planned, written) {
      announceCreate(context, planned);
      return { operationId: planned.operation.publicId, text: [...createdRecords(context, planned, written)].join('') };
    },
  });
