// What an automation is: the trigger that starts it, its steps, and the values that steps write.
import { type Static, Type } from 'typebox';
import { Filter } from './filter.ts';
import { text } from './text.ts';

const id = (of: string) => Type.String({ maxLength: 100, description: `Id of the ${of}.` });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const strict = { additionalProperties: false };

const longestText = 20_000;
export const mostSteps = 100;
export const deepestSteps = 6;

/**
 * What a step writes: JSON as it is, or something that is made when it runs. In a formula `{trigger.Name}` is a cell of the record that started it, `{stepId.Name}` one of a record of
 * an earlier step; ids of fields do as well as names. A template is a text in which `{trigger.Name}` stands for a value, and `{= …}` for a formula.
 */
export type Value =
  | string
  | number
  | boolean
  | null
  | Value[]
  | { formula: string }
  | { template: string }
  | { [key: string]: unknown };
const Value = Type.Unsafe<Value>(
  Type.Unknown({
    description:
      'JSON as it is; `{"formula": "{trigger.Price} * 2"}`: made by a formula; `{"template": "Hello {trigger.Name}"}`: a text with values, where `{= UPPER({trigger.Name})}` is a formula and `\\{` a brace. Both name what they read: `{trigger.Name}` the cell of the record that started it, `{step1.Name}` one of a step before.',
  }),
);
const isComputed = (value: unknown, key: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 1 &&
  typeof (value as Record<string, unknown>)[key] === 'string';
export const isFormulaValue = (value: unknown): value is { formula: string } => isComputed(value, 'formula');
export const isTemplateValue = (value: unknown): value is { template: string } => isComputed(value, 'template');

const Fields = Type.Record(Type.String({ maxLength: 500 }), Value, {
  maxProperties: 500,
  description: 'Values by field, by id or name.',
});
const FilterWithValues = Type.Object(Filter.properties, {
  description: 'As filters of views; the value of a condition may be a formula or template.',
});

const onTable = { tableId: id('table') };
const filter = Type.Optional(orNull(Filter));

/** What starts an automation, by type. */
export const triggerSchemas = {
  recordCreated: Type.Object({ type: Type.Literal('recordCreated'), ...onTable, filter }, strict),
  recordUpdated: Type.Object(
    {
      type: Type.Literal('recordUpdated'),
      ...onTable,
      fieldIds: Type.Optional(
        orNull(
          Type.Array(id('field'), {
            minItems: 1,
            maxItems: 500,
            description:
              'Only when one of these changed. Null: any that people write; computed fields only when they are named.',
          }),
        ),
      ),
      filter,
    },
    strict,
  ),
  recordMatches: Type.Object(
    { type: Type.Literal('recordMatches'), ...onTable, filter: Filter },
    { ...strict, description: 'The record meets the condition, and did not before.' },
  ),
  viewEntered: Type.Object({ type: Type.Literal('viewEntered'), ...onTable, viewId: id('view') }, strict),
  formSubmitted: Type.Object({ type: Type.Literal('formSubmitted'), ...onTable, viewId: id('form view') }, strict),
  commentAdded: Type.Object({ type: Type.Literal('commentAdded'), ...onTable }, strict),
  buttonPressed: Type.Object(
    {
      type: Type.Literal('buttonPressed'),
      ...onTable,
      fieldIds: orNull(Type.Array(id('button field'), { minItems: 1, maxItems: 100 })),
      filter,
    },
    { ...strict, description: '`fieldIds` null: any button of the table.' },
  ),
  schedule: Type.Object(
    {
      type: Type.Literal('schedule'),
      cron: Type.String({
        maxLength: 200,
        description: 'Minute, hour, day of the month, month, day of the week: `0 9 * * MON-FRI`.',
      }),
      timeZone: Type.String({ maxLength: 100 }),
    },
    strict,
  ),
  dateReached: Type.Object(
    {
      type: Type.Literal('dateReached'),
      ...onTable,
      fieldId: id('date field'),
      days: Type.Integer({ minimum: -3_650, maximum: 3_650, description: 'After the date; below zero: before it.' }),
      time: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'Time of that day, such as `09:00`.' }),
      timeZone: Type.String({ maxLength: 100 }),
      filter,
    },
    strict,
  ),
  incomingCall: Type.Object(
    { type: Type.Literal('incomingCall') },
    { ...strict, description: 'A POST to a secret address; `{trigger.body.…}` is what was sent.' },
  ),
} as const;
export type TriggerType = keyof typeof triggerSchemas;
export const triggerTypes = Object.keys(triggerSchemas) as TriggerType[];
export type TriggerOf<T extends TriggerType> = Static<(typeof triggerSchemas)[T]>;
export type Trigger = { [T in TriggerType]: TriggerOf<T> }[TriggerType];
export const Trigger = Type.Unsafe<Trigger>(Type.Union(Object.values(triggerSchemas)));

const Steps = Type.Array(Type.Unknown(), { maxItems: mostSteps, description: 'Steps of the same form.' });

const Condition = Type.Union([
  Type.Object({ formula: Type.String({ maxLength: longestText }) }, strict),
  Type.Object(
    {
      of: Type.String({ maxLength: 40, description: '`trigger`, or the id of a step with a record.' }),
      filter: Filter,
    },
    strict,
  ),
]);

const common = {
  id: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$',
    description: 'Once in an automation, and not `trigger`; formulas and templates name it.',
  }),
  name: Type.Optional(text({ maxLength: 100 })),
  description: Type.Optional(text({ maxLength: 2_000 })),
};

/** What an automation does, by type. */
export const stepSchemas = {
  createRecord: Type.Object({ type: Type.Literal('createRecord'), ...common, ...onTable, fields: Fields }, strict),
  updateRecord: Type.Object(
    { type: Type.Literal('updateRecord'), ...common, ...onTable, recordId: Value, fields: Fields },
    strict,
  ),
  upsertRecord: Type.Object(
    {
      type: Type.Literal('upsertRecord'),
      ...common,
      ...onTable,
      matchFieldIds: Type.Array(id('field'), { minItems: 1, maxItems: 10, description: 'By which a record is found.' }),
      fields: Fields,
    },
    strict,
  ),
  deleteRecord: Type.Object({ type: Type.Literal('deleteRecord'), ...common, ...onTable, recordId: Value }, strict),
  findRecords: Type.Object(
    {
      type: Type.Literal('findRecords'),
      ...common,
      ...onTable,
      filter: Type.Optional(orNull(FilterWithValues)),
      sort: Type.Optional(
        Type.Array(Type.Object({ fieldId: id('field'), order: Type.Enum(['asc', 'desc']) }, strict), { maxItems: 10 }),
      ),
      take: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: '100 when absent.' })),
    },
    strict,
  ),
  if: Type.Object(
    { type: Type.Literal('if'), ...common, condition: Condition, then: Steps, else: Type.Optional(Steps) },
    strict,
  ),
  forEach: Type.Object(
    {
      type: Type.Literal('forEach'),
      ...common,
      of: Type.String({
        maxLength: 40,
        description: 'Id of a step that finds records. Inside, the id of this step is the record.',
      }),
      steps: Steps,
    },
    strict,
  ),
  sendEmail: Type.Object(
    { type: Type.Literal('sendEmail'), ...common, to: Value, subject: Value, body: Value },
    strict,
  ),
  notify: Type.Object({ type: Type.Literal('notify'), ...common, userIds: Value, message: Value }, strict),
  comment: Type.Object({ type: Type.Literal('comment'), ...common, ...onTable, recordId: Value, text: Value }, strict),
  callUrl: Type.Object(
    {
      type: Type.Literal('callUrl'),
      ...common,
      url: Value,
      method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      headers: Type.Optional(
        Type.Array(
          Type.Object({ name: Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" }), value: Value }, strict),
          {
            maxItems: 20,
          },
        ),
      ),
      body: Type.Optional(Value),
    },
    strict,
  ),
  wait: Type.Object({ type: Type.Literal('wait'), ...common, seconds: Value }, strict),
} as const;
export type StepType = keyof typeof stepSchemas;
export const stepTypes = Object.keys(stepSchemas) as StepType[];

type Nested<S> = S extends { then: unknown }
  ? Omit<S, 'then' | 'else'> & { then: Step[]; else?: Step[] }
  : S extends { steps: unknown }
    ? Omit<S, 'steps'> & { steps: Step[] }
    : S;
/** As one of a type. */
export type StepOf<T extends StepType> = Nested<Static<(typeof stepSchemas)[T]>>;
export type Step = { [T in StepType]: StepOf<T> }[StepType];
/** The form of one step; what is inside of `then`, `else` and `steps` is checked by the server in the same way. */
export const Step = Type.Unsafe<Step>(Type.Union(Object.values(stepSchemas)));

export interface Definition {
  trigger: Trigger | null;
  steps: Step[];
}
