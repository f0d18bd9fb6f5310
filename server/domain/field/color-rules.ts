// Colour rules of a view against the fields of its table: read, kept when fields go or change, and shown to visitors.
import { type ColorRule, colorRulesOf, decidingFields } from '@rowhouse/contract/color-rule.ts';
import { type Issue, invalid } from '@rowhouse/contract/error.ts';
import { type FilterGroup, readFilter } from '@rowhouse/contract/filter.ts';
import type { CellKind } from '@rowhouse/contract/field.ts';
import type { FieldSchema } from '../../catalog/table.ts';
import { cellTypeOf } from '../cell/types.ts';
import { filterFieldOf } from './field-vo.ts';
import { keepConditions } from './stored-filter.ts';

type Fields = ReadonlyMap<string, FieldSchema>;
type Options = Record<string, unknown>;

const hasRules = (options: Options): boolean => Array.isArray(options['colorRules']);

const kindFor: Record<ColorRule['by'], CellKind | null> = { condition: null, choice: 'choice', scale: 'number' };

const fitsRule = ({ by, fieldId }: ColorRule, fields: Fields): boolean => {
  if (by === 'condition') return true;
  const field = fields.get(fieldId ?? '');
  return (
    field !== undefined && cellTypeOf(field).kind === kindFor[by] && !(by === 'scale' && cellTypeOf(field).isMultiple)
  );
};

const issuesOf = (rule: ColorRule, fields: Fields, at: string): Issue[] => {
  const { on, by, filter, fieldId, color, min, max, fieldIds = [] } = rule;
  const issue = (key: string, message: string, expected: string): Issue => ({
    path: `${at}.${key}`,
    message,
    expected,
  });
  const issues: Issue[] = fieldIds.flatMap((id, index) =>
    fields.has(id)
      ? []
      : [
          issue(
            `fieldIds[${index}]`,
            `The table has no field ${JSON.stringify(id)}`,
            'the id of a field of this table',
          ),
        ],
  );
  if (by === 'scale' && on === 'row') issues.push(issue('on', 'A scale colours cells', '"cells"'));
  if (on === 'cells' && by !== 'scale' && fieldIds.length === 0)
    issues.push(issue('fieldIds', 'Expected the fields whose cells are coloured', 'ids of fields of this table'));
  if (by === 'condition' && (filter == null || (filter as FilterGroup).filterSet.length === 0))
    issues.push(issue('filter', 'Expected at least one condition', 'a filter'));
  if (by !== 'condition' && !fitsRule(rule, fields)) {
    const expected = by === 'choice' ? 'the id of a select field' : 'the id of a field with numbers';
    issues.push(issue('fieldId', `Expected ${expected}, found ${JSON.stringify(fieldId ?? null)}`, expected));
  }
  if (by !== 'choice' && color === undefined) issues.push(issue('color', 'Expected a color', 'the name of a color'));
  if (by === 'scale' && !((min ?? 0) < (max ?? 100)))
    issues.push(issue('max', 'Expected more than min', 'a number above min'));
  return issues;
};

export const readColorRules = (
  options: Options,
  fields: Fields,
  at: string,
  keeps?: (item: Record<string, unknown>) => boolean,
): Options => {
  if (!hasRules(options)) return options;
  const filterFields = new Map([...fields].map(([id, field]) => [id, filterFieldOf(field)]));
  const issues: Issue[] = [];
  const colorRules = colorRulesOf({ options }).map((rule, index) => {
    const path = `${at}.colorRules[${index}]`;
    issues.push(...issuesOf(rule, fields, path));
    if (rule.filter == null) return rule;
    const read = readFilter(rule.filter, filterFields, `${path}.filter`, keeps);
    issues.push(...read.issues);
    return { ...rule, filter: read.filter };
  });
  if (issues.length > 0) throw invalid(issues);
  return { ...options, colorRules };
};

const withRules = (options: Options, change: (rule: ColorRule) => ColorRule[]): Options =>
  hasRules(options) ? { ...options, colorRules: colorRulesOf({ options }).flatMap(change) } : options;

/** A condition that no longer fits stays without effect (ADR 107); a rule that has lost its last condition, its field or its cells goes. */
export const fitColorRules = (options: Options, fields: Fields): Options =>
  withRules(options, (rule) => {
    const fieldIds = rule.fieldIds?.filter((id) => fields.has(id));
    if (!fitsRule(rule, fields) || fieldIds?.length === 0) return [];
    const kept = { ...rule, ...(fieldIds === undefined ? {} : { fieldIds }) };
    if (rule.by !== 'condition') return [kept];
    // With a condition less it would colour records that nobody meant.
    if (decidingFields(rule).some((id) => !fields.has(id))) return [];
    const filter = keepConditions(rule.filter, { byId: fields });
    return filter === null ? [] : [{ ...kept, filter: filter as NonNullable<ColorRule['filter']> }];
  });

export const renameInColorRules = (options: Options, rename: (filter: unknown) => unknown): Options =>
  withRules(options, (rule) =>
    rule.filter == null ? [rule] : [{ ...rule, filter: rename(rule.filter) as NonNullable<ColorRule['filter']> }],
  );

/** What visitors are told: no rule that a hidden field decides, and no name of one. */
export const publicColorRules = (options: Options, isShown: (fieldId: string) => boolean): Options =>
  withRules(options, (rule) => {
    const fieldIds = rule.fieldIds?.filter(isShown);
    if (!decidingFields(rule).every(isShown) || fieldIds?.length === 0) return [];
    return [{ ...rule, ...(fieldIds === undefined ? {} : { fieldIds }) }];
  });
