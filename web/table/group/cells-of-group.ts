// The cells that put a new record into a group, as far as a header can tell them: a date only says its day.
import type { Field } from '@rowhouse/contract/field.ts';
import type { GroupHeader, GroupRows } from './group-rows.ts';

const dates: readonly string[] = ['date', 'createdTime', 'lastModifiedTime'];

export const cellsOfGroup = (header: GroupHeader, rows: GroupRows, fields: readonly (Field | undefined)[]): Record<string, unknown> => {
  const row = rows.headerRows.find((at) => rows.headerAt(at) === header);
  // The headers above it, outermost first.
  const path: GroupHeader[] = [];
  for (let at = row ?? -1; at >= 0; at -= 1) {
    const candidate = rows.headerAt(at);
    if (candidate !== undefined && candidate.depth === (path[0]?.depth ?? header.depth + 1) - 1) path.unshift(candidate);
  }
  return Object.fromEntries(
    path.flatMap(({ depth, value }) => {
      const field = fields[depth];
      return field === undefined || field.isComputed === true || dates.includes(field.type) || value === null || value === false ? [] : [[field.id, value]];
    }),
  );
};
