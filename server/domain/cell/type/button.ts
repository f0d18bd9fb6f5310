// button: pressed, not written. A cell is the number of presses.
import { Type } from 'typebox';
import { addressBeginning } from '@rowhouse/contract/button.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { colors } from '@rowhouse/contract/color.ts';
import { sql } from '../../../db/sql.ts';
import { buttonCells } from '../kind/button.sql.ts';
import type { FieldType } from '../type.ts';
import { keepSameType } from './convert.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const words = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

/** For counts that come back; requests are refused before. */
const isCount = (value: unknown): value is { count: number } =>
  typeof value === 'object' && value !== null && 'count' in value && Number.isInteger(value.count);

const demandAddress = (url: unknown, at: string): void => {
  if (typeof url !== 'string' || !addressBeginning.test(url))
    throw invalid({
      path: `${at}.url`,
      message: 'The address of a button begins with https:// and a server, mailto: or tel:, and not with a cell',
      expected: 'an address such as https://example.com/{fld…}',
    });
};

export const button: FieldType = {
  type: 'button',
  defaultName: 'Button',
  optionsSchema: Type.Object({
    label: words(100),
    color: Type.Optional(Type.Enum([...colors])),
    maxCount: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 1_000_000 }))),
    resetCount: Type.Optional(Type.Boolean()),
    workflow: Type.Optional(
      orNull(Type.Object({ id: words(100), name: words(1_000), isActive: Type.Optional(Type.Boolean()) })),
    ),
    confirm: Type.Optional(
      orNull(Type.Object({ title: words(200), description: words(2_000), confirmText: words(100) })),
    ),
    action: Type.Optional(Type.Enum(['workflow', 'openLink'])),
    url: words(2_000),
    openInNewTab: Type.Optional(Type.Boolean()),
    mayPress: Type.Optional(Type.Enum(['readers', 'editors'])),
  }),
  isComputed: true,
  isOnlyKept: true,
  canBePrimary: false,
  canBeUnique: false,
  canBeNotNull: false,
  cells: () => buttonCells,
  completeOptions({ label, color, maxCount, resetCount, workflow, confirm, action, url, openInNewTab, mayPress }, at) {
    if (action === 'openLink') demandAddress(url, at);
    return {
      label: label ?? 'Button',
      color: color ?? 'teal',
      ...(typeof maxCount === 'number' && maxCount > 0 ? { maxCount } : {}),
      ...(resetCount === true ? { resetCount } : {}),
      ...(workflow == null ? {} : { workflow }),
      ...(confirm == null ? {} : { confirm }),
      ...(action === 'openLink' ? { action, url, openInNewTab: openInNewTab ?? true } : {}),
      ...(mayPress === 'editors' ? { mayPress } : {}),
    };
  },
  read: (value) =>
    isCount(value)
      ? { ok: true, value: { count: value.count } }
      : { ok: false, expected: 'nothing: a button is pressed, not written' },
  cast: () => ({ value: null }),
  defaultCell: () => null,
  convert: keepSameType,
  carry: () => sql`null::text`,
};
