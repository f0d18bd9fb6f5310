// attachment: files that were uploaded. What a cell says of a file is what the upload was, whatever the request says; the
// name is for the request to choose.
import { isId, newId } from '@rowhouse/contract/id.ts';
import { Type } from 'typebox';
import { type FileFacts, fileTokens, pathOf } from '../../file/file.ts';
import { fileCells } from '../kind/file.sql.ts';
import type { CellContext, CellResult, FieldType } from '../type.ts';
import { carryText } from './convert.ts';
import { isStorable } from './text.ts';

interface FileCell {
  id: string;
  name: string;
  path: string;
  token: string;
  size: number;
  mimetype: string;
  width?: number;
  height?: number;
}

const longestName = 1_000;
const mostFiles = 1_000;

const expected =
  'a list of uploaded files, such as [{"name": "photo.png", "token": "att…"}]; upload each first, and tell so by /attachments/notify';

const isText = (value: unknown, longest = longestName): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longest && isStorable(value);
const isSize = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Ids tell the mentions of one cell apart. */
const idFor = (id: unknown): string =>
  typeof id === 'string' && /^act[0-9A-Za-z]{1,47}$/.test(id) ? id : newId('act');

const cellOf = (facts: FileFacts, id: unknown, name: unknown): FileCell => ({
  id: idFor(id),
  name: isText(name) ? name : (facts.name ?? 'file'),
  path: pathOf(facts),
  token: facts.token,
  size: facts.size,
  mimetype: facts.mimetype,
  ...(facts.width === null || facts.height === null ? {} : { width: facts.width, height: facts.height }),
});

/** As it stands: of a cell that is brought back, or a mention of a file that was never here. There is nothing to be read for the latter. */
const asItStands = (item: Record<string, unknown>): FileCell | undefined => {
  const { id, name, path, token, size, mimetype, width, height } = item;
  if (!isText(name) || !isText(path) || !isText(token, 100) || !isSize(size) || !isText(mimetype, 255))
    return undefined;
  return {
    id: idFor(id),
    name,
    path,
    token,
    size,
    mimetype,
    ...(isSize(width) && isSize(height) ? { width, height } : {}),
  };
};

const readItem = (item: unknown, { files }: CellContext): FileCell | undefined => {
  if (typeof item !== 'object' || item === null) return undefined;
  const { id, name, token } = item as Record<string, unknown>;
  if (files === undefined) return asItStands(item as Record<string, unknown>);
  const known = typeof token === 'string' ? files.get(token) : undefined;
  if (known !== undefined) return cellOf(known, id, name);
  const cell = isId('att', token) ? undefined : asItStands(item as Record<string, unknown>);
  // The path of a file that is here belongs to its token.
  return cell === undefined || fileTokens(cell.path).length > 0 ? undefined : cell;
};

const distinct = (cells: readonly FileCell[]): FileCell[] => {
  const seen = new Set<string>();
  return cells.map((cell) => {
    const own = seen.has(cell.id) ? { ...cell, id: newId('act') } : cell;
    seen.add(own.id);
    return own;
  });
};

const readList = (value: unknown, context: CellContext): CellResult => {
  if (!Array.isArray(value) || value.length > mostFiles) return { ok: false, expected };
  if (value.length === 0) return { ok: true, value: null };
  const cells = value.map((item) => readItem(item, context));
  return cells.includes(undefined) ? { ok: false, expected } : { ok: true, value: distinct(cells as FileCell[]) };
};

/** `photo.png (att…)`, as a cell is shown as text. */
const nameBefore = (text: string, token: string): string | undefined => {
  const before = text.slice(0, text.indexOf(token)).replace(/ \($/, '');
  return before.slice(before.lastIndexOf('),') < 0 ? 0 : before.lastIndexOf('),') + 2) || undefined;
};

export const attachment: FieldType = {
  type: 'attachment',
  defaultName: 'Attachments',
  optionsSchema: Type.Object({}),
  isComputed: false,
  canBePrimary: false,
  canBeUnique: false,
  canBeNotNull: true,
  namesFiles: true,
  cells: () => fileCells,
  completeOptions: () => ({}),
  read: (value, _field, context) => readList(value, context),
  cast(value, _field, context) {
    const items = [value].flat().slice(0, mostFiles);
    const found = items.flatMap((item) => {
      if (typeof item !== 'string') return readItem(item, context) ?? [];
      return fileTokens(item).flatMap((token) => {
        const facts = context.files?.get(token);
        return facts === undefined ? [] : [cellOf(facts, undefined, nameBefore(item, token))];
      });
    });
    return found.length === 0 ? { value: null, note: 'dropped' } : { value: distinct(found), note: 'converted' };
  },
  defaultCell: () => null,
  convert: (from, _source, to) => (from.type === to.type ? [] : null),
  carry: carryText,
};
