// The records of a share: as a table, as cards, or as cards in stacks. They are read page by page, and again when they change.
import type { Field } from '@rowhouse/contract/field.ts';
import type { RecordVo } from '@rowhouse/contract/record.ts';
import { copyShare, listShareRecords } from '@rowhouse/contract/share.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { filesOf, listOf, pathOf, titlesOf } from '../table/cell/cell-text.ts';
import { ask, columnsOf, messageOf, nameOf, type Share } from './ask.ts';
import { ShareCell } from './share-cell.tsx';

const pageSize = 100;
const mostAtOnce = 1_000;

const coverOf = (record: RecordVo, fieldId: unknown): string | undefined => {
  const url = typeof fieldId === 'string' ? filesOf(record.fields[fieldId]).find(({ lgThumbnailUrl }) => lgThumbnailUrl !== undefined)?.lgThumbnailUrl : undefined;
  return url === undefined ? undefined : pathOf(url);
};

const Card = ({ record, fields, coverFieldId }: { record: RecordVo; fields: readonly Field[]; coverFieldId: unknown }) => {
  const cover = coverOf(record, coverFieldId);
  return (
    <li className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      {cover !== undefined && <img src={cover} alt="" className="h-36 w-full object-cover" />}
      <div className="p-3">
        <h2 className="font-medium break-words">{nameOf(record)}</h2>
        <dl className="mt-2 flex flex-col gap-1.5 empty:hidden">
          {fields.filter((field) => field.isPrimary !== true && field.id !== coverFieldId && record.fields[field.id] !== undefined).map((field) => (
            <div key={field.id} className="text-[13px]">
              <dt className="text-[12px] text-ink-faint">{field.name}</dt>
              <dd className="break-words"><ShareCell field={field} value={record.fields[field.id]} /></dd>
            </div>
          ))}
        </dl>
      </div>
    </li>
  );
};

const Table = ({ records, fields, name }: { records: readonly RecordVo[]; fields: readonly Field[]; name: string }) => (
  <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={name}>
    <table className="w-max min-w-full border-collapse bg-surface text-[13px]">
      <thead>
        <tr>
          {fields.map((field) => (
            <th key={field.id} scope="col" className="sticky top-0 border-r border-b border-line bg-sunken px-3 py-2 text-left font-medium whitespace-nowrap">{field.name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.id} className="hover:bg-hover">
            {fields.map((field) => (
              <td key={field.id} className="max-w-80 truncate border-r border-b border-line px-3 py-1.5 align-top"><ShareCell field={field} value={record.fields[field.id]} /></td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Stacks = ({ share, records, fields }: { share: Share; records: readonly RecordVo[]; fields: readonly Field[] }) => {
  const { stackFieldId, coverFieldId } = share.view.options as { stackFieldId?: string; coverFieldId?: string | null };
  const field = fields.find(({ id }) => id === stackFieldId);
  const stacks = new Map<string, RecordVo[]>();
  for (const { name } of (field?.options['choices'] ?? []) as { name: string }[]) stacks.set(name, []);
  for (const record of records) {
    const value = field === undefined ? undefined : record.fields[field.id];
    const key = value === undefined ? '' : field?.type === 'link' || field?.type === 'user' ? (titlesOf(value)[0] ?? '') : String(listOf(value)[0]);
    stacks.set(key, [...(stacks.get(key) ?? []), record]);
  }
  return (
    <div className="flex items-start gap-3 overflow-x-auto p-4" tabIndex={0} role="region" aria-label={share.view.name}>
      {[...stacks].map(([name, cards]) => (
        <section key={name} aria-label={name || 'Without a value'} className="w-72 shrink-0 rounded-xl bg-sunken p-2">
          <h2 className="px-1 pb-2 font-medium">{name || 'Without a value'} <span className="text-ink-faint">{cards.length}</span></h2>
          <ul className="flex flex-col gap-2">{cards.map((record) => <Card key={record.id} record={record} fields={fields.filter(({ id }) => id !== field?.id)} coverFieldId={coverFieldId} />)}</ul>
        </section>
      ))}
    </div>
  );
};

interface Read {
  records: readonly RecordVo[];
  hasMore: boolean;
}

export const ShareRecords = ({ share, changes }: { share: Share; changes: number }) => {
  const { shareId, view, shareMeta } = share;
  const fields = columnsOf(share);
  const [search, setSearch] = useState('');
  const [read, setRead] = useState<Read>({ records: share.records, hasMore: share.records.length === 50 });
  const [note, setNote] = useState('');
  const shown = useRef(share.records.length);
  const isFirst = useRef(true);
  const load = useCallback(async (take: number, words: string): Promise<void> => {
    try {
      const wanted = Math.min(Math.max(take, pageSize), mostAtOnce);
      const { records } = await ask(listShareRecords, { params: { shareId }, query: { fieldKeyType: 'id', take: wanted, ...(words === '' ? {} : { search: [words, '', 'true'] }) } });
      shown.current = records.length;
      setRead({ records, hasMore: records.length === wanted && wanted < mostAtOnce });
      setNote('');
    } catch (error) {
      setNote(messageOf(error));
    }
  }, [shareId]);
  // What the share came with is what there is to begin with.
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    const timer = setTimeout(() => void load(shown.current, search), search === '' ? 0 : 250);
    return () => clearTimeout(timer);
  }, [changes, search, share, load]);
  const copy = async (): Promise<void> => {
    try {
      const { content } = await ask(copyShare, { params: { shareId }, query: { type: 'columns', ranges: '[[0,10000]]' } });
      await navigator.clipboard.writeText(`${fields.map(({ name }) => name).join('\t')}\n${content}`);
      setNote('Copied: paste it into a spreadsheet or a table.');
    } catch (error) {
      setNote(messageOf(error));
    }
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 px-4 py-2.5">
        <input type="search" aria-label="Search" placeholder="Search" maxLength={1_000} className="h-9 w-full rounded-lg border border-line-strong bg-surface px-3 sm:w-64" value={search} onChange={(event) => setSearch(event.target.value)} />
        {shareMeta.allowCopy === true && <button type="button" className="h-9 rounded-lg border border-line-strong bg-surface px-3 font-medium hover:bg-sunken" onClick={() => void copy()}>Copy all</button>}
        <p role="status" className="text-ink-soft">{note}</p>
      </div>
      {view.type === 'grid' && <Table records={read.records} fields={fields} name={view.name} />}
      {view.type === 'kanban' && <Stacks share={share} records={read.records} fields={fields} />}
      {view.type === 'gallery' && (
        <ul aria-label={view.name} className="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-3 p-4">
          {read.records.map((record) => <Card key={record.id} record={record} fields={fields} coverFieldId={view.options['coverFieldId']} />)}
        </ul>
      )}
      {read.records.length === 0 && <p className="p-8 text-center text-ink-faint">No records.</p>}
      {read.hasMore && (
        <button type="button" className="m-4 self-center rounded-lg border border-line-strong bg-surface px-4 py-2 font-medium hover:bg-sunken" onClick={() => void load(shown.current + pageSize, search)}>
          Show more
        </button>
      )}
    </>
  );
};
