// Which records something holds for, as data: rights are put together from these without SQL. `domain/query/condition.sql.ts` compiles them.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';

export type RecordCondition =
  | boolean
  | { any: readonly RecordCondition[] }
  | { all: readonly RecordCondition[] }
  /** On the stored cells of the record. What is not understood any more, such as a field that is gone, holds for nothing. */
  | { filter: FilterGroup }
  /** Of every record that the link field leads to. True where it leads to none. */
  | { through: string; met: RecordCondition };

/** The same conditions stand once; `neutral` vanishes, and its opposite decides. */
const joined = (conditions: readonly RecordCondition[], neutral: boolean): readonly RecordCondition[] | boolean => {
  if (conditions.includes(!neutral)) return !neutral;
  const different = new Map(
    conditions.filter((one) => one !== neutral).map((one) => [JSON.stringify(one), one] as const),
  );
  return different.size === 0 ? neutral : [...different.values()];
};

const single = (
  conditions: readonly RecordCondition[] | boolean,
  several: (conditions: readonly RecordCondition[]) => RecordCondition,
): RecordCondition => {
  if (typeof conditions === 'boolean') return conditions;
  const [first] = conditions;
  return conditions.length === 1 && first !== undefined ? first : several(conditions);
};

/** Holds where one of them does; for none of them it is false. */
export const anyOf = (conditions: readonly RecordCondition[]): RecordCondition =>
  single(joined(conditions, false), (any) => ({ any }));

/** Holds where all of them do; for none of them it is true. */
export const allOf = (conditions: readonly RecordCondition[]): RecordCondition =>
  single(joined(conditions, true), (all) => ({ all }));
