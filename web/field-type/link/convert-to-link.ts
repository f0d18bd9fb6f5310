// Makes a field a link by the titles that its cells hold, and creates the records that are missing. The conversion and what is written after it are
// one step: undo brings back the texts, and the records that were created go.
import type { Field } from '@rowhouse/contract/field.ts';
import { listRecords, type RecordVo, updateRecords } from '@rowhouse/contract/record.ts';
import { undo } from '@rowhouse/contract/undo-redo.ts';
import { call } from '../../app/call.ts';
import { takeSideEffects } from '../../app/side-effects.ts';
import { inStep, newStep } from '../../app/window-steps.ts';
import { madeWords } from '../../record-data/undo/undone-words.ts';
import { counted, showToast } from '../../ui/toast.ts';
import { cellText } from '../cell-text.ts';
import { linkOptionsOf } from './linked.ts';
import { sidesOf } from './relationship.ts';
import { linksByTitle, type TitleLinks } from './title-links.ts';

const recordsPerRequest = 1_000;
/** More are not read by a page. */
export const mostLinked = 20_000;

const readAll = async (tableId: string, fieldIds: readonly string[], signal?: AbortSignal): Promise<RecordVo[]> => {
  const records: RecordVo[] = [];
  for (let skip = 0; skip < mostLinked; skip += recordsPerRequest) {
    const page = await call(listRecords, {
      params: { tableId },
      query: { fieldKeyType: 'id', projection: [...fieldIds], skip, take: recordsPerRequest },
      ...(signal === undefined ? {} : { signal }),
    });
    records.push(...page.records);
    if (page.records.length < recordsPerRequest) break;
  }
  return records;
};

type LinkGiven = Pick<Field, 'options'>;

const isSeveral = (link: LinkGiven): boolean => sidesOf(linkOptionsOf(link).relationship).hereSeveral;

/** What the cells of a field would link to. */
export const planLinks = async (
  tableId: string,
  field: Field,
  link: LinkGiven,
  signal?: AbortSignal,
): Promise<TitleLinks & { filled: number }> => {
  const [own, others] = await Promise.all([
    readAll(tableId, [field.id], signal),
    readAll(linkOptionsOf(link).foreignTableId, [], signal),
  ]);
  const cells = own
    .map((record) => ({ recordId: record.id, text: cellText(field, record.fields[field.id]) }))
    .filter(({ text }) => text.trim() !== '');
  const titles = others.flatMap(({ name }) => (name === undefined || name === '' ? [] : [name]));
  return { ...linksByTitle(cells, titles, isSeveral(link)), filled: cells.length };
};

interface Conversion {
  tableId: string;
  field: Field;
  link: LinkGiven;
  /** Titles that no record has are left out without this. */
  createsMissing: boolean;
  /** What the table of the link is called. */
  tableName: string | undefined;
  /** Changes the field itself, as part of this step. */
  convert: (step: string) => Promise<void>;
}

export const convertToLink = async ({
  tableId,
  field,
  link,
  createsMissing,
  tableName,
  convert,
}: Conversion): Promise<void> => {
  const { toWrite, isKnown } = await planLinks(tableId, field, link);
  const several = isSeveral(link);
  const step = newStep();
  await convert(step);
  const changes = [...toWrite].flatMap(([id, titles]) => {
    const named = createsMissing ? titles : titles.filter(isKnown);
    return named.length === 0 ? [] : [{ id, fields: { [field.id]: several ? named : named[0] } }];
  });
  let unlinked = 0;
  try {
    for (let from = 0; from < changes.length; from += recordsPerRequest) {
      const records = await call(updateRecords, {
        params: { tableId },
        body: { records: changes.slice(from, from + recordsPerRequest), fieldKeyType: 'id', typecast: true },
        headers: inStep(step),
      });
      unlinked += records.filter((record) => record.fields[field.id] === undefined).length;
    }
  } catch (error) {
    // All or nothing: the texts come back.
    await call(undo, { params: { tableId }, body: { step } });
    throw error;
  }
  const made = madeWords(takeSideEffects(step), () => tableName);
  if (made.length > 0 || unlinked > 0)
    showToast({
      kind: unlinked > 0 ? 'problem' : 'note',
      title: [...made, ...(unlinked > 0 ? [`${counted(unlinked, 'cell')} could not be linked`] : [])].join('; ') + '.',
      ...(unlinked > 0 ? { detail: 'Undo brings the texts back.' } : {}),
    });
};
