// The records that a link can lead to: searched by the server, those that were linked last first.
import type { Field } from '@rowhouse/contract/field.ts';
import { foldTitle } from '@rowhouse/contract/fold.ts';
import { listRecords, type RecordVo } from '@rowhouse/contract/record.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../app/call.ts';
import { useMe } from '../../app/me.ts';
import { writesAnswered } from '../../app/writes.ts';
import { matching } from '../../ui/matching.ts';
import { cellText } from '../cell-text.ts';
import { isTemporary } from '../../record-data/new-record-cells.ts';
import { fieldsQuery, recordsKey } from '../../record-data/queries.ts';
import { detailFields } from './detail-fields.ts';
import { bestFirst, isExclusive, linkOptionsOf, linksOf, linkTitle } from './linked.ts';
import { recentLinks } from './recent-links.ts';

export interface Candidate {
  id: string;
  title: string;
  /** What else is known of it. */
  note: string;
  /** Why it cannot be linked. */
  taken?: string;
  isRecent?: boolean;
}

interface Candidates {
  list: Candidate[];
  /** They are the answer to what stands in the search; else those of before that fit it. */
  isCurrent: boolean;
  error: unknown;
  /** The field that a new record gets its title in; undefined: none can be made from a title. */
  titleField: Field | undefined;
}

const mostShown = 50;
const mostTaken = 5;
const settleAfter = 120;

const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleAfter);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

/** Who has it; undefined when the field of the other side does not tell. */
const ownerOf = (record: RecordVo, symmetricFieldId: string | undefined): string | undefined => {
  const [owner] = symmetricFieldId === undefined ? [] : linksOf(record.fields[symmetricFieldId]);
  return owner === undefined ? undefined : linkTitle(owner);
};

/** `recordId`: whose cell it is for; null: for no cell, any record can be picked. */
export const useCandidates = (field: Field, recordId: string | null | undefined, search: string): Candidates => {
  const options = linkOptionsOf(field);
  const { foreignTableId: tableId, filterByViewId, filter, symmetricFieldId } = options;
  const userId = useMe().id;
  const fields = useQuery(fieldsQuery(tableId)).data;
  const primary = fields?.find(({ isPrimary }) => isPrimary === true);
  const title = fields?.find(({ id }) => id === options.lookupFieldId) ?? primary;
  const details = detailFields(fields ?? [], options, 3);
  const asked = useSettled(search.trim());
  const exclusive = recordId !== null && isExclusive(field);
  const shown = [...new Set([...(title === undefined ? [] : [title.id]), ...details.map(({ id }) => id)])];
  const ownId = recordId == null || isTemporary(recordId) ? undefined : recordId;
  const reading = {
    fieldKeyType: 'id' as const,
    withGroups: false,
    projection: [...shown, ...(exclusive && symmetricFieldId !== undefined ? [symmetricFieldId] : [])],
  };
  const found = {
    ...(filterByViewId == null ? {} : { viewId: filterByViewId }),
    ...(filter == null ? {} : { filter: JSON.stringify(filter) }),
    ...(asked === '' ? {} : { search: [asked, shown.join(','), 'true'] }),
  };
  const key = [...recordsKey(tableId), 'candidates', field.id, ownId, exclusive, found, shown];
  const read = async (query: object, signal: AbortSignal): Promise<RecordVo[]> => {
    // One that was linked a moment ago is taken, although the server may not have heard of it yet.
    if (exclusive) await writesAnswered();
    return (await call(listRecords, { params: { tableId }, query: { ...reading, ...query }, signal })).records;
  };

  const free = useQuery({
    enabled: title !== undefined,
    placeholderData: keepPreviousData,
    queryKey: [...key, 'free'],
    queryFn: ({ signal }) =>
      read(
        {
          ...found,
          ...(exclusive ? { filterLinkCellCandidate: ownId === undefined ? field.id : [field.id, ownId] } : {}),
          take: mostShown,
        },
        signal,
      ),
  });
  // Anyone who searches for one that is taken is told so.
  const all = useQuery({
    placeholderData: keepPreviousData,
    enabled: title !== undefined && exclusive && asked !== '',
    queryKey: [...key, 'all'],
    queryFn: ({ signal }) => read({ ...found, take: mostTaken }, signal),
  });
  const recentIds = exclusive ? [] : recentLinks(userId, tableId);
  const recent = useQuery({
    placeholderData: keepPreviousData,
    enabled: title !== undefined && recentIds.length > 0 && filterByViewId == null && filter == null,
    queryKey: [...key.slice(0, 3), 'recent', recentIds, shown],
    queryFn: ({ signal }) => read({ selectedRecordIds: recentIds, take: recentIds.length }, signal),
  });

  const candidateOf = (record: RecordVo): Candidate => ({
    id: record.id,
    title: linkTitle(
      title === undefined
        ? {}
        : { title: title.isPrimary === true ? (record.name ?? '') : cellText(title, record.fields[title.id]) },
    ),
    note: details
      .map((detail) => cellText(detail, record.fields[detail.id]))
      .filter((text) => text !== '')
      .join(' · '),
  });
  const takenOf = (record: RecordVo): Candidate => ({
    ...candidateOf(record),
    taken: `Linked to ${ownerOf(record, symmetricFieldId) ?? 'another record'}`,
  });
  const isTaken = (record: RecordVo): boolean =>
    exclusive &&
    symmetricFieldId !== undefined &&
    linksOf(record.fields[symmetricFieldId]).some(({ id }) => id !== ownId);

  const freeRecords = (free.data ?? []).filter((record) => !isTaken(record));
  const lately = recentIds.flatMap((id) => recent.data?.find((record) => record.id === id) ?? []);
  const wanted = foldTitle(search);
  const isCurrent = asked === search.trim() && free.data !== undefined && !free.isPlaceholderData;
  const fits = (list: readonly Candidate[]): Candidate[] =>
    isCurrent ? [...list] : matching(list, (one) => one.title, wanted);
  const list = fits(freeRecords.map(candidateOf));
  const taken =
    exclusive && wanted !== '' && isCurrent
      ? (all.data ?? []).filter(({ id }) => !list.some((one) => one.id === id)).map(takenOf)
      : [];
  const first = wanted === '' ? lately.map((record) => ({ ...candidateOf(record), isRecent: true })) : [];
  return {
    list: [
      ...first,
      ...bestFirst(list, (one) => one.title, wanted).filter(({ id }) => !first.some((one) => one.id === id)),
      ...taken,
    ],
    isCurrent,
    error: free.error,
    titleField: title?.isPrimary === true && title.isComputed !== true ? title : undefined,
  };
};
