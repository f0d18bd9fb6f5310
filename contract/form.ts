// Forms: which fields a form asks for, given what has been filled in, and the endpoint that takes the answers.
import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import type { FilterGroup } from './filter.ts';
import { type Asker, type MatchField, matches } from './matches.ts';
import { RecordVo } from './record.ts';

/** What a form view says about a field, in its `columnMeta`. */
export interface FormColumn {
  order?: number;
  visible?: boolean;
  required?: boolean;
  title?: string | null;
  help?: string | null;
  defaultValue?: unknown;
  condition?: FilterGroup | null;
}

export type FormColumns = Readonly<Record<string, FormColumn | undefined>>;

const lastOrder = Number.MAX_SAFE_INTEGER;

/** The fields of the form, in its order. Fields that were added to the table later are in it when somebody puts them there. */
export const formFields = <F extends { id: string }>(fields: readonly F[], columns: FormColumns): F[] =>
  fields
    .filter(({ id }) => columns[id]?.visible === true)
    .sort((one, other) => (columns[one.id]?.order ?? lastOrder) - (columns[other.id]?.order ?? lastOrder));

/**
 * Those of them that are asked for. A condition looks at the fields above its own; what is not asked for counts as empty,
 * and so does what stands below: there is one answer, whatever depends on what.
 */
export const askedFields = <F extends MatchField>(
  inForm: readonly F[],
  columns: FormColumns,
  cells: Readonly<Record<string, unknown>>,
  asker: Asker,
): F[] => {
  const byId = new Map(inForm.map((field) => [field.id, field]));
  const answers: Record<string, unknown> = {};
  return inForm.filter((field) => {
    if (!matches(columns[field.id]?.condition, byId, answers, asker)) return false;
    answers[field.id] = cells[field.id];
    return true;
  });
};

export const submitForm = endpoint({
  name: 'submitForm',
  method: 'POST',
  path: '/table/:tableId/record/form-submit',
  summary: 'Submit a form',
  description:
    'Creates one record. Fields that the form does not show are refused with 403; a value for a field whose condition does not hold, and a required field without a value, with 400. Default values of fields are filled in before conditions are looked at.',
  tag: 'Record',
  access: { on: 'table', action: 'record|create' },
  params: Type.Object({ tableId: Type.String() }),
  body: Type.Object({
    viewId: Type.String({ maxLength: 100, description: 'Id of a form view' }),
    fields: Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'Field id → cell value' }),
    typecast: Type.Optional(Type.Boolean({ description: 'Convert values that do not fit' })),
  }),
  status: 201,
  response: RecordVo,
});
