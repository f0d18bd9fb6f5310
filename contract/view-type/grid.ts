// Records as rows.
import { Type } from 'typebox';
import { statistics } from '../statistic.ts';
import {
  colorRules,
  flag,
  ofRecords,
  order,
  orNull,
  recordTemplateId,
  strict,
  type ViewTypeShape,
} from '../view-type.ts';

export const grid = {
  ...ofRecords,
  options: Type.Object(
    {
      rowHeight: Type.Optional(Type.Enum(['short', 'medium', 'tall', 'extraTall', 'autoFit'])),
      fieldNameDisplayLines: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
      frozenColumnCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
      colorRules,
      recordTemplateId,
    },
    strict,
  ),
  column: Type.Object(
    {
      order,
      width: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000 })),
      hidden: flag,
      statisticFunc: orNull(Type.Enum([...statistics])),
    },
    strict,
  ),
  columns: 'hidden',
  references: {},
  showsAtFirst: () => true,
  exports: ['csv', 'jsonl', 'xlsx'],
} as const satisfies ViewTypeShape;
