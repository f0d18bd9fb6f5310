// rating: a whole number from 1 to max.
import { Type } from 'typebox';
import { colors } from '@rowhouse/contract/color.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { countCells } from '../kind/number.sql.ts';
import { type FieldType, forStorage } from '../type.ts';
import { parseNumber } from './number.ts';

const icons = ['star', 'moon', 'sun', 'zap', 'flame', 'heart', 'apple', 'thumb-up'] as const;

const maxOf = (options: Record<string, unknown>): number => (typeof options.max === 'number' ? options.max : 5);

export const rating: FieldType = {
  type: 'rating',
  defaultName: 'Rating',
  optionsSchema: Type.Object({
    icon: Type.Optional(Type.Enum([...icons])),
    color: Type.Optional(Type.Enum([...colors])),
    max: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  }),
  isComputed: false,
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: true,
  cells: () => countCells,
  completeOptions: ({ icon, color, max }) => ({ icon: icon ?? 'star', color: color ?? 'yellowBright', max: max ?? 5 }),
  read(value, field) {
    const max = maxOf(field.options);
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return { ok: true, value };
    return { ok: false, expected: `a whole number from 1 to ${max}` };
  },
  cast(value, field) {
    const parsed = typeof value === 'number' ? value : typeof value === 'string' ? parseNumber(value) : null;
    if (parsed === null || !Number.isFinite(parsed)) return { value: null, note: 'dropped' };
    return { value: Math.min(maxOf(field.options), Math.max(1, Math.round(parsed))), note: 'converted' };
  },
  changed(carried, stored) {
    const given = typeof carried === 'string' ? parseNumber(carried) : carried;
    return given === stored ? undefined : String(stored);
  },
  defaultCell: () => null,
  convert(from, source, to) {
    if (source.column !== 'double precision' || source.isMultiple) return null;
    if (from.type === to.type && maxOf(to.options) >= maxOf(from.options)) return [];
    const fitted = (column: Sql): Sql =>
      sql`least(${maxOf(to.options)}::double precision, greatest(1, floor(${column} + 0.5)))`;
    return [{ update: fitted, where: (column) => sql`${column} is not null` }];
  },
  carry(from, source, column) {
    if (source.kind === 'boolean') return sql`case when ${column} then '1' end`;
    return source.kind === 'date' ? sql`null::text` : source.json(column, from, forStorage);
  },
};
