import { getSearchIndex } from '@rowhouse/contract/aggregation.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../app/call.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { inputClass } from '../../ui/text-field.tsx';
import { orderOf, whichRecords } from '../../record-data/own-query.ts';
import { ToolbarButton } from '../../ui/toolbar-button.tsx';

export interface Found {
  row: number;
  fieldId: string;
}

const searchAfter = 250;
const most = 1_000;

/** Finds text in the cells of the view and leads from one place to the next. */
export const SearchBox = ({
  tableId,
  viewId,
  onGo,
}: {
  tableId: string;
  viewId: string;
  onGo: (place: Found) => void;
}) => {
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const found = useQuery({
    queryKey: ['search', tableId, viewId, text],
    queryFn: async ({ signal }) =>
      (await call(getSearchIndex, {
        params: { tableId },
        query: { ...whichRecords(viewId), ...orderOf(viewId), search: [text, '', 'false'], take: most },
        signal,
      })) ?? [],
    enabled: text !== '',
    placeholderData: (before) => before,
  });
  const places = text === '' ? [] : (found.data ?? []);

  useEffect(() => {
    const timer = setTimeout(() => {
      setText(typed.trim());
      setAt(0);
    }, searchAfter);
    return () => clearTimeout(timer);
  }, [typed]);

  const go = (index: number): void => {
    if (places.length === 0) return;
    const wrapped = (index + places.length) % places.length;
    const place = places[wrapped];
    setAt(wrapped);
    if (place !== undefined) onGo({ row: place.index - 1, fieldId: place.fieldId });
  };
  const trigger = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  // The browser's own search would find only what is in sight.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (input.current === null) trigger.current?.click();
      else input.current.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const first = places[0];
  useEffect(() => {
    if (first !== undefined) onGo({ row: first.index - 1, fieldId: first.fieldId });
    // Leads to the first place once per search, not on every render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text, first?.recordId, first?.fieldId]);

  return (
    <Popover
      label="Search"
      align="end"
      trigger={<ToolbarButton ref={trigger} icon={<Search size={16} aria-hidden />} label="Search" isAside />}
    >
      <div className="flex w-80 max-w-full items-center gap-1">
        <input
          ref={input}
          autoFocus
          type="search"
          aria-label="Search in this view"
          placeholder="Search in this view"
          className={inputClass}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && go(at + (event.shiftKey ? -1 : 1))}
        />
        <span role="status" className="shrink-0 px-1 text-[13px] text-ink-soft tabular-nums">
          {text === ''
            ? ''
            : places.length === 0
              ? found.isFetching
                ? '…'
                : 'None'
              : `${at + 1} of ${places.length}${places.length === most ? '+' : ''}`}
        </span>
        <IconButton label="Previous match" disabled={places.length === 0} onClick={() => go(at - 1)}>
          <ChevronUp size={16} />
        </IconButton>
        <IconButton label="Next match" disabled={places.length === 0} onClick={() => go(at + 1)}>
          <ChevronDown size={16} />
        </IconButton>
      </div>
    </Popover>
  );
};
