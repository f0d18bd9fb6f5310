// A record as steps read it.
import type { Sight } from '../../catalog/sight.ts';
import type { Tools } from '../../context.ts';
import type { Cells } from '../webhook/record-states.ts';

export interface RecordOutput {
  id: string;
  name: string;
  url: string;
  fields: Cells;
}

const nameIn = (cell: unknown): string => {
  if (cell === null || cell === undefined) return '';
  if (Array.isArray(cell)) return cell.map(nameIn).join(', ');
  if (typeof cell === 'object') {
    const { title, name } = cell as { title?: unknown; name?: unknown };
    return String(title ?? name ?? '');
  }
  return String(cell);
};

export const recordOutput = (
  { publicUrl }: Pick<Tools, 'publicUrl'>,
  sight: Pick<Sight, 'table'>,
  id: string,
  fields: Cells,
): RecordOutput => {
  const { table } = sight;
  const primary = table.fields.find(({ isPrimary }) => isPrimary);
  return {
    id,
    name: nameIn(primary === undefined ? null : fields[primary.id]).slice(0, 500),
    url: `${publicUrl()}/base/${table.baseId}/${table.id}?recordId=${id}`,
    fields,
  };
};
