import { getSearchIndex } from '@rowhouse/contract/aggregation.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../../app/call.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { inputClass } from '../../ui/text-field.tsx';
import { orderOf, whichRecords } from '../../record-data/own-query.ts';
import { recordsKey } from '../../record-data/queries.ts';
import { ToolbarButton } from '../../ui/toolbar-button.tsx';

export interface Found {
  recordId: string;
  fieldId: string;
  /** Where it stood among the records of the view when it was found, from 0 on. */
  row: number;
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
  const [isOpen, setOpen] = useState(false);
  const [current, setCurrent] = useState<{ at: number; found: Found }>();
  const found = useQuery({
    queryKey: [...recordsKey(tableId), 'search', viewId, text],
    queryFn: async ({ signal }) =>
      (await call(getSearchIndex, {
        params: { tableId },
        query: { ...whichRecords(viewId), ...orderOf(viewId), search: [text, '', 'false'], take: most },
        signal,
      })) ?? [],
    // What nobody looks at is not searched for whenever a record changes.
    enabled: text !== '' && isOpen,
    placeholderData: (before) => before,
  });
  const places = useMemo(
    (): Found[] =>
      text === ''
        ? []
        : (found.data ?? []).map(({ index, recordId, fieldId }) => ({ recordId, fieldId, row: index - 1 })),
    [text, found.data],
  );
  /** Records come, go and move while one searches: the place is told by its record. What is gone was where the next one is. */
  const known = places.findIndex(
    ({ recordId, fieldId }) => recordId === current?.found.recordId && fieldId === current.found.fieldId,
  );
  const at = known >= 0 ? known : Math.min(current?.at ?? 0, Math.max(0, places.length - 1));

  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), searchAfter);
    return () => clearTimeout(timer);
  }, [typed]);

  const go = (index: number): void => {
    const wrapped = (index + places.length) % places.length;
    const place = places[wrapped];
    if (place === undefined) return;
    setCurrent({ at: wrapped, found: place });
    onGo(place);
  };
  /** One on, or back: from what is gone on to what has its place. */
  const step = (by: 1 | -1): void => go(known < 0 && by === 1 ? at : at + by);
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
  // Leads to the first place once per search, not whenever records change.
  const led = useRef('');
  useEffect(() => {
    if (text === '') led.current = '';
    if (text === led.current || found.data === undefined || found.isPlaceholderData) return;
    led.current = text;
    go(0);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text, found.data, found.isPlaceholderData]);

  return (
    <Popover
      label="Search"
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
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
          onKeyDown={(event) => event.key === 'Enter' && step(event.shiftKey ? -1 : 1)}
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
        <IconButton label="Previous match" disabled={places.length === 0} onClick={() => step(-1)}>
          <ChevronUp size={16} />
        </IconButton>
        <IconButton label="Next match" disabled={places.length === 0} onClick={() => step(1)}>
          <ChevronDown size={16} />
        </IconButton>
      </div>
    </Popover>
  );
};
