// Checks a definition against the tables of its base, and puts ids in place of names. The same check says later whether a published version still fits.
import {
  type Definition,
  deepestSteps,
  isFormulaValue,
  isTemplateValue,
  mostSteps,
  type Step,
  type StepType,
  stepSchemas,
  stepTypes,
  type Value,
} from '@rowhouse/contract/automation-definition.ts';
import { ApiError, type Issue } from '@rowhouse/contract/error.ts';
import { readFilter } from '@rowhouse/contract/filter.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { validator } from '../../endpoint/validate.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { fieldIn, filterFieldsOf, type KnownTable, noField, readTrigger, type Tables } from './read-trigger.ts';
import {
  answerSource,
  foundSource,
  itemSource,
  recordSource,
  type Source,
  type Sources,
  triggerSource,
} from './reference.ts';
import { readValue } from './value.sql.ts';

export interface ReadDefinition {
  definition: Definition;
  issues: Issue[];
}

/** Ids of all tables that it names. */
export const tablesIn = ({ trigger, steps }: Definition): string[] => {
  const inSteps = (list: readonly unknown[]): string[] =>
    list.flatMap((step) => {
      if (typeof step !== 'object' || step === null) return [];
      const { tableId, ...more } = step as Record<string, unknown>;
      return [
        ...(typeof tableId === 'string' ? [tableId] : []),
        ...['then', 'else', 'steps'].flatMap((key) => (Array.isArray(more[key]) ? inSteps(more[key]) : [])),
      ];
    });
  return [...new Set([...(trigger !== null && 'tableId' in trigger ? [trigger.tableId] : []), ...inSteps(steps)])];
};

const isWritable = (field: FieldSchema): boolean => field.isLookup !== true && !fieldTypeOf(field.type).isComputed;

/** Reads the steps of one definition; what is wrong with them is added to `issues`. */
const stepReader = (tables: Tables, issues: Issue[]) => {
  const ids = new Set<string>(['trigger']);
  let count = 0;

  const tableAt = (tableId: string, path: string): KnownTable | undefined => {
    const table = tables.get(tableId);
    if (table === undefined)
      issues.push({
        path,
        message: `The base has no table ${tableId.slice(0, 100)}`,
        expected: 'the id of a table',
      });
    return table;
  };

  const valueAt = (value: Value, sources: Sources, path: string): Value => {
    const read = readValue(value, sources, path);
    issues.push(...read.issues);
    return read.value;
  };

  const fieldsAt = (
    table: KnownTable,
    fields: Record<string, Value>,
    sources: Sources,
    path: string,
  ): Record<string, Value> => {
    return Object.fromEntries(
      Object.entries(fields).map(([key, value]) => {
        const field = fieldIn(table, key);
        const here = `${path}.fields.${key}`;
        if (field === undefined) issues.push(noField(here, key));
        else if (!isWritable(field))
          issues.push({
            path: here,
            message: `"${field.name}" is computed`,
            expected: 'a field that people write',
          });
        return [field?.id ?? key, valueAt(value, sources, here)];
      }),
    );
  };

  /** The value of a condition may be made when it runs; all else is checked as of any filter. */
  const filterAt = (table: KnownTable, filter: unknown, sources: Sources, path: string): unknown => {
    const computed = new Set<string>();
    const walk = (item: unknown, here: string): unknown => {
      if (typeof item !== 'object' || item === null) return item;
      if ('filterSet' in item && Array.isArray(item.filterSet))
        return { ...item, filterSet: item.filterSet.map((one, at) => walk(one, `${here}.filterSet[${at}]`)) };
      if (!('value' in item) || !(isFormulaValue(item.value) || isTemplateValue(item.value))) return item;
      computed.add(`${here}.value`);
      return { ...item, value: valueAt(item.value as Value, sources, `${here}.value`) };
    };
    const read = walk(filter, path);
    const found = readFilter(read, filterFieldsOf(table), path);
    issues.push(...found.issues.filter(({ path: at }) => ![...computed].some((one) => at.startsWith(one))));
    return computed.size === 0 ? found.filter : read;
  };

  /** What a step leaves to those behind it. */
  const sourceOf = (step: Step): Source | undefined => {
    switch (step.type) {
      case 'createRecord':
      case 'updateRecord':
      case 'upsertRecord':
      case 'deleteRecord': {
        const table = tables.get(step.tableId);
        return table === undefined ? undefined : recordSource(table);
      }
      case 'findRecords':
        return foundSource();
      case 'callUrl':
        return answerSource();
      default:
        return undefined;
    }
  };

  const readOne = (
    step: Step,
    sources: Sources,
    found: ReadonlyMap<string, string>,
    path: string,
    depth: number,
  ): Step => {
    const value = (of: Value, key: string): Value => valueAt(of, sources, `${path}.${key}`);
    switch (step.type) {
      case 'createRecord':
      case 'updateRecord':
      case 'upsertRecord': {
        const table = tableAt(step.tableId, `${path}.tableId`);
        if (table === undefined) return step;
        const fields = fieldsAt(table, step.fields, sources, path);
        if (step.type === 'createRecord') return { ...step, fields };
        if (step.type === 'updateRecord') return { ...step, recordId: value(step.recordId, 'recordId'), fields };
        const matchFieldIds = step.matchFieldIds.map((key, at) => {
          const field = fieldIn(table, key);
          if (field === undefined) issues.push(noField(`${path}.matchFieldIds[${at}]`, key));
          else if (!Object.hasOwn(fields, field.id))
            issues.push({
              path: `${path}.matchFieldIds[${at}]`,
              message: `"${field.name}" is what records are found by, and gets no value`,
              expected: 'a value for it in `fields`',
            });
          return field?.id ?? key;
        });
        return { ...step, fields, matchFieldIds };
      }
      case 'deleteRecord':
        tableAt(step.tableId, `${path}.tableId`);
        return { ...step, recordId: value(step.recordId, 'recordId') };
      case 'findRecords': {
        const table = tableAt(step.tableId, `${path}.tableId`);
        if (table === undefined) return step;
        const sort = step.sort?.map(({ fieldId, order }, at) => {
          const field = fieldIn(table, fieldId);
          if (field === undefined) issues.push(noField(`${path}.sort[${at}].fieldId`, fieldId));
          return { fieldId: field?.id ?? fieldId, order };
        });
        const filter = step.filter == null ? null : filterAt(table, step.filter, sources, `${path}.filter`);
        return { ...step, filter: filter as never, ...(sort === undefined ? {} : { sort }) };
      }
      case 'if':
        return readIf(step, sources, found, path, depth);
      case 'forEach': {
        const tableId = found.get(step.of);
        const table = tableId === undefined ? undefined : tables.get(tableId);
        if (tableId === undefined)
          issues.push({
            path: `${path}.of`,
            message: `There is no step ${JSON.stringify(step.of)} before that finds records`,
            expected: [...found.keys()].join(', ') || 'a step of type findRecords before',
          });
        const inside = new Map(sources);
        if (table !== undefined) inside.set(step.id, itemSource(table));
        return { ...step, steps: stepsAt(step.steps, inside, found, `${path}.steps`, depth + 1) };
      }
      case 'sendEmail':
        return {
          ...step,
          to: value(step.to, 'to'),
          subject: value(step.subject, 'subject'),
          body: value(step.body, 'body'),
        };
      case 'notify':
        return { ...step, userIds: value(step.userIds, 'userIds'), message: value(step.message, 'message') };
      case 'comment':
        tableAt(step.tableId, `${path}.tableId`);
        return { ...step, recordId: value(step.recordId, 'recordId'), text: value(step.text, 'text') };
      case 'callUrl':
        return {
          ...step,
          url: value(step.url, 'url'),
          ...(step.headers === undefined
            ? {}
            : {
                headers: step.headers.map((header, at) => ({
                  ...header,
                  value: value(header.value, `headers[${at}].value`),
                })),
              }),
          ...(step.body === undefined ? {} : { body: value(step.body, 'body') }),
        };
      case 'wait':
        return { ...step, seconds: value(step.seconds, 'seconds') };
    }
  };

  const readIf = (
    step: Extract<Step, { type: 'if' }>,
    sources: Sources,
    found: ReadonlyMap<string, string>,
    path: string,
    depth: number,
  ): Step => {
    let { condition } = step;
    if ('formula' in condition) {
      const read = valueAt({ formula: condition.formula }, sources, `${path}.condition.formula`);
      condition = read as { formula: string };
    } else {
      const fields = sources.get(condition.of)?.fields;
      if (fields === undefined)
        issues.push({
          path: `${path}.condition.of`,
          message: `${JSON.stringify(condition.of)} has no record here`,
          expected: '`trigger` or the id of a step before that has a record',
        });
      else {
        const read = readFilter(condition.filter, filterFieldsOf({ fields }), `${path}.condition.filter`);
        issues.push(...read.issues);
        condition = { of: condition.of, filter: (read.filter ?? { conjunction: 'and', filterSet: [] }) as never };
      }
    }
    return {
      ...step,
      condition,
      then: stepsAt(step.then, sources, found, `${path}.then`, depth + 1),
      ...(step.else === undefined ? {} : { else: stepsAt(step.else, sources, found, `${path}.else`, depth + 1) }),
    };
  };

  /** `found`: tables of the steps before that find records, by their ids. */
  const stepsAt = (
    list: readonly Step[],
    around: Sources,
    before: ReadonlyMap<string, string>,
    path: string,
    depth = 1,
  ): Step[] => {
    if (depth > deepestSteps) {
      issues.push({ path, message: `Steps are at most ${deepestSteps} deep`, expected: 'fewer levels' });
      return [...list];
    }
    const sources = new Map(around);
    const found = new Map(before);
    return list.map((step, at) => {
      const here = `${path}[${at}]`;
      count += 1;
      if (count === mostSteps + 1)
        issues.push({
          path: here,
          message: `An automation has at most ${mostSteps} steps`,
          expected: 'fewer steps',
        });
      if (count > mostSteps || !hasForm(step, here)) return step;
      if (ids.has(step.id))
        issues.push({ path: `${here}.id`, message: `The id ${step.id} appears twice`, expected: 'another id' });
      ids.add(step.id);
      const read = readOne(step, sources, found, here, depth);
      const source = sourceOf(read);
      if (source !== undefined) sources.set(step.id, source);
      if (read.type === 'findRecords') found.set(step.id, read.tableId);
      return read;
    });
  };

  /** Inside of other steps nothing has been checked yet. */
  const hasForm = (step: Step, path: string): boolean => {
    const type = (step as { type?: unknown } | null)?.type as StepType;
    if (!stepTypes.includes(type)) {
      issues.push({ path: `${path}.type`, message: 'It is not a type of step', expected: stepTypes.join(', ') });
      return false;
    }
    try {
      validator(stepSchemas[type])(step, path);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      issues.push(...((error.data as { issues?: Issue[] } | undefined)?.issues ?? [{ path, message: error.message }]));
      return false;
    }
  };

  return { tableAt, stepsAt };
};

export const readDefinition = ({ trigger, steps }: Definition, tables: Tables): ReadDefinition => {
  const issues: Issue[] = [];
  const reader = stepReader(tables, issues);
  const read = trigger === null ? null : readTrigger(trigger, reader.tableAt, issues);
  if (trigger === null) issues.push({ path: 'trigger', message: 'Nothing starts it', expected: 'a trigger' });
  if (steps.length === 0) issues.push({ path: 'steps', message: 'It does nothing', expected: 'a step' });
  const table = read !== null && 'tableId' in read ? tables.get(read.tableId) : undefined;
  const sources = new Map([['trigger', triggerSource(table, read?.type ?? '')]]);
  return {
    definition: { trigger: read, steps: reader.stepsAt(steps, sources, new Map(), 'steps') },
    issues,
  };
};
