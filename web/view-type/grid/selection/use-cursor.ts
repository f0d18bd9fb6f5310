// The cursor of the grid and the rows around it. The cursor is in a record and a field. While it is there, the record
// keeps its row: what would move it, hide it or delete it is shown at once and takes effect when the cursor leaves. A new
// record stands where it was made until the server's rows have it, wherever the cursor is.
import { getRecordStatus, type RecordVo } from '@rowhouse/contract/record.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { call } from '../../../app/call.ts';
import { useMe } from '../../../app/me.ts';
import { type GroupHeader, type GroupRows, groupRows } from '../group/group-rows.ts';
import { type HeldPosition, itemsOf, type Neighbour, type RowItem, withHeld } from '../group/row-items.ts';
import { whichRecords } from '../../../record-data/own-query.ts';
import type { RecordWindow } from '../../../record-data/record-window.ts';
import type { TableRecords } from '../../../record-data/table-records.ts';
import type { GridSelection, Slice } from './grid-selection.ts';
import {
  activeRecordOf,
  appendKey,
  type DrawnRows,
  fromGrid,
  headerKey,
  isRecordKey,
  noSelection,
  noTicks,
  type RecordSelection,
  selectCell,
  settled,
  toGrid,
  unloadedKey,
} from './record-selection.ts';

/** Why a row does not stand where it belongs. `deleted`: by oneself elsewhere, or by whom is not known (yet). */
export type Mark = 'moves' | 'filtered' | 'deleted' | 'deleted by others';

/** Where a row stands, in words that survive a change of the order. */
interface Stand {
  recordId: string;
  above: string | undefined;
  below: string | undefined;
  around: readonly GroupHeader[];
  index: number;
  /** How often the view had been read by then. */
  reads: number;
}

export interface Cursor {
  rows: GroupRows;
  drawnRows: DrawnRows;
  meant: RecordSelection;
  drawn: GridSelection;
  recordAt: (row: number) => RecordVo | undefined;
  mark: { why: Mark; row: number } | undefined;
  /** Answers the rows that were ticked and are not loaded. */
  choose: (drawn: GridSelection) => Slice[];
  select: (selection: RecordSelection) => void;
  /** Ticks these too. */
  tick: (recordIds: readonly string[]) => void;
  /** Cells of these records that decide where they stand are about to change. */
  touch: (recordIds: readonly string[]) => void;
  /** This record is put elsewhere by hand, and stands there as soon as the rows are read again. */
  release: (recordId: string) => void;
  /** Shows a record that the server does not know yet, before this row, with the cursor in it. */
  insert: (record: RecordVo, before: number, around: readonly GroupHeader[], fieldId: string) => void;
  /** It has its real id now. */
  rename: (temporaryId: string, record: RecordVo) => void;
  /** The rows were read since it was made: it stands where the server has it, if the view shows it at all. */
  settle: (recordId: string) => void;
  /** It did not come to be. */
  forget: (temporaryId: string) => void;
}

interface CursorInput {
  tableId: string;
  view: View;
  window: RecordWindow;
  listen: TableRecords['listen'];
  fieldIds: readonly string[];
  collapsed: ReadonlySet<string>;
  isTemporary: (recordId: string) => boolean;
  /** Something is being typed into the cell. */
  isEditing: boolean;
}

/** The nearest row in a direction that is a record. */
const recordFrom = (rows: DrawnRows, from: number, step: 1 | -1): string | undefined => {
  for (let row = from; row >= 0 && row < rows.rowCount; row += step) {
    const key = rows.keyAt(row);
    if (isRecordKey(key)) return key;
  }
  return undefined;
};

export const useCursor = ({
  tableId,
  view,
  window,
  listen,
  fieldIds,
  collapsed,
  isTemporary,
  isEditing,
}: CursorInput): Cursor => {
  const ownId = useMe().id;
  const [meant, setMeant] = useState(noSelection);
  const [hold, setHold] = useState<{ recordId: string; deleted?: Mark }>();
  const [status, setStatus] = useState<{ recordId: string; isVisible: boolean; isDeleted: boolean }>();
  const stand = useRef<Stand>(undefined);
  /** Oldest first: a newer one may stand beside an older one. */
  const [fresh, setFresh] = useState<readonly Stand[]>([]);
  const version = window.version();
  const reads = window.reads();
  const activeId = activeRecordOf(meant);

  // Another filter, sort or grouping is meant for all rows, also for this one.
  const query = JSON.stringify([view.filter, view.sort, view.group]);
  const queried = useRef({ query, reads: -1 });
  if (queried.current.query !== query) queried.current = { query, reads };

  const place = activeId === undefined ? undefined : window.placeOf(activeId);
  const known =
    stand.current?.recordId === activeId && stand.current !== undefined && stand.current.reads > queried.current.reads
      ? stand.current
      : undefined;
  const isHeld = known !== undefined && (hold?.recordId === activeId || place === undefined);
  const items = useMemo(
    () => itemsOf(window.groups(), window.rowCount() ?? 0),
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [window, version],
  );
  const natural = useMemo(() => groupRows(items, collapsed), [items, collapsed]);
  const rows = useMemo(() => {
    const held = [
      ...fresh.filter(({ recordId }) => window.placeOf(recordId) === undefined && !(isHeld && recordId === activeId)),
      ...(isHeld && known !== undefined ? [known] : []),
    ];
    if (held.length === 0) return natural;
    const neighbour = (recordId: string | undefined): Neighbour | undefined =>
      recordId === undefined ? undefined : (window.placeOf(recordId) ?? recordId);
    const position = ({ recordId, above, below, around, index }: Stand): HeldPosition => ({
      recordId,
      place: window.placeOf(recordId),
      above: neighbour(above),
      below: neighbour(below),
      around: around.map(({ id, depth, value }) => ({ id, depth, value })),
      index,
    });
    return groupRows(
      held.reduce<readonly RowItem[]>((list, one) => withHeld(list, position(one)), items),
      collapsed,
    );
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [items, natural, collapsed, isHeld, known, activeId, fresh, window, version]);

  const drawnRows = useMemo((): DrawnRows => {
    const keyAt = (row: number): string => {
      if (row >= rows.rowCount) return appendKey;
      const header = rows.headerAt(row);
      if (header !== undefined) return headerKey(header.id);
      const held = rows.heldAt(row);
      if (held !== undefined) return held;
      const at = rows.placeAt(row);
      return (at === undefined ? undefined : window.at(at)?.id) ?? unloadedKey(row);
    };
    const rowOf = (key: string): number | undefined => {
      if (key === appendKey) return rows.rowCount;
      if (key.startsWith('row:')) return Number(key.slice(4)) < rows.rowCount ? Number(key.slice(4)) : undefined;
      if (!isRecordKey(key)) return rows.headerRows.find((row) => headerKey(rows.headerAt(row)?.id ?? '') === key);
      const at = window.placeOf(key);
      return rows.rowOfHeld(key) ?? (at === undefined ? undefined : rows.rowOf(at));
    };
    return { rowCount: rows.rowCount, keyAt, rowOf };
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows, window, version]);

  const recordAt = useCallback(
    (row: number): RecordVo | undefined => {
      const key = drawnRows.keyAt(row);
      return isRecordKey(key) ? window.find(key) : undefined;
    },
    [drawnRows, window],
  );
  const drawn = useMemo(() => toGrid(meant, drawnRows, fieldIds), [meant, drawnRows, fieldIds]);

  const lastRow = useRef(0);
  useLayoutEffect(() => {
    if (drawn.current !== undefined) lastRow.current = drawn.current.row;
    // The header of a group that is gone. The cursor goes to another one, never to a record: what somebody is about to type was not meant for it.
    else if (meant.active?.key.startsWith(headerKey('')) === true) {
      const row = rows.headerRows.findLast((header) => header <= lastRow.current) ?? rows.headerRows[0];
      return setMeant(row === undefined ? noSelection : selectCell(drawnRows.keyAt(row), meant.active.fieldId));
    }
    const next = settled(meant, drawn, drawnRows, fieldIds);
    if (next !== meant) setMeant(next);
    const row = activeId === undefined || isHeld ? undefined : drawnRows.rowOf(activeId);
    if (activeId === undefined || row === undefined) return;
    stand.current = {
      recordId: activeId,
      above: recordFrom(drawnRows, row - 1, -1),
      below: recordFrom(drawnRows, row + 1, 1),
      around: rows.groupsAt(row),
      index: row,
      reads,
    };
  });
  useEffect(() => window.keep(activeId === undefined ? undefined : window.find(activeId)), [window, activeId]);

  // Everything that was ticked is everything that the view showed then.
  useEffect(() => setMeant((before) => (before.ticked.all ? { ...before, ticked: noTicks } : before)), [query]);
  // Another filter may hide what was ticked, and nobody deletes what they do not see.
  const filter = JSON.stringify(view.filter);
  useEffect(
    () => setMeant((before) => (before.ticked === noTicks ? before : { ...before, ticked: noTicks })),
    [filter],
  );

  const latest = useRef(activeId);
  latest.current = activeId;
  const typing = useRef(isEditing);
  typing.current = isEditing;
  useEffect(
    () =>
      listen((event) => {
        const recordId = latest.current;
        if (recordId === undefined || event.kind === 'commented' || !event.recordIds.includes(recordId)) return;
        // A row that one put elsewhere oneself stands there at once.
        if (event.kind === 'moved' && event.byHand && event.by === ownId) return;
        if (event.kind === 'moved') setHold((before) => (before?.recordId === recordId ? before : { recordId }));
        else if (event.by !== ownId) setHold({ recordId, deleted: 'deleted by others' });
        // Here the cursor goes first. It was an undo, or another window of the same person: what is being typed stays.
        else if (typing.current) setHold({ recordId, deleted: 'deleted' });
        else setMeant(noSelection);
      }),
    [listen, ownId],
  );

  // Whether the view still has it cannot be seen from what is loaded.
  const isOutOfSight = isHeld && place === undefined && activeId !== undefined && !isTemporary(activeId);
  useEffect(() => {
    if (!isOutOfSight || activeId === undefined) return undefined;
    const controller = new AbortController();
    call(getRecordStatus, {
      params: { tableId, recordId: activeId },
      query: whichRecords(view.id),
      signal: controller.signal,
    }).then(
      (answer) => setStatus({ recordId: activeId, ...answer }),
      () => undefined,
    );
    return () => controller.abort();
  }, [isOutOfSight, activeId, tableId, view.id, reads]);

  const heldRow = activeId === undefined ? undefined : rows.rowOfHeld(activeId);
  const whyMarked = (): Mark | undefined => {
    if (!isHeld || known === undefined || heldRow === undefined) return undefined;
    if (place === undefined) {
      const now = status?.recordId === activeId ? status : undefined;
      if (hold?.deleted !== undefined) return hold.deleted;
      if (now?.isDeleted === true) return 'deleted';
      return now === undefined ? undefined : now.isVisible ? 'moves' : 'filtered';
    }
    const isAtHome =
      natural.rowOf(place) === heldRow &&
      natural.groupsOf(place).every(({ id }, depth) => id === known.around[depth]?.id);
    return isAtHome ? undefined : 'moves';
  };

  const settle = (recordId: string): void => {
    window.forgetNew(recordId);
    setFresh((list) => list.filter((made) => made.recordId !== recordId));
  };
  const why = whyMarked();
  const select = (selection: RecordSelection): void => {
    const recordId = activeRecordOf(selection);
    setHold((before) => (before?.recordId === recordId ? before : undefined));
    setMeant(selection);
  };

  return {
    rows,
    drawnRows,
    meant,
    drawn,
    mark: why === undefined || heldRow === undefined ? undefined : { why, row: heldRow },
    recordAt,
    choose(grid) {
      const { selection, toLoad } = fromGrid(grid, drawnRows, fieldIds, { meant, drawn });
      select(selection);
      return toLoad;
    },
    select,
    tick: (recordIds) =>
      setMeant((before) =>
        before.ticked.all
          ? before
          : { ...before, ticked: { all: false, ids: new Set([...before.ticked.ids, ...recordIds]) } },
      ),
    touch(recordIds) {
      if (activeId !== undefined && recordIds.includes(activeId))
        setHold((before) => (before?.recordId === activeId ? before : { recordId: activeId }));
    },
    release: (recordId) => setHold((before) => (before?.recordId === recordId ? undefined : before)),
    insert(record, before, around, fieldId) {
      const made: Stand = {
        recordId: record.id,
        above: recordFrom(drawnRows, before - 1, -1),
        below: recordFrom(drawnRows, before, 1),
        around,
        index: before,
        reads: reads + 1,
      };
      stand.current = made;
      window.keep(record);
      window.keepNew(record);
      setFresh((list) => [...list, made]);
      setHold({ recordId: record.id });
      setMeant(selectCell(record.id, fieldId));
    },
    settle,
    forget(temporaryId) {
      settle(temporaryId);
      setMeant((before) => (before.active?.key === temporaryId ? noSelection : before));
    },
    rename(temporaryId, record) {
      const own = <T extends string | undefined>(id: T): T | string => (id === temporaryId ? record.id : id);
      const renamed = (one: Stand): Stand => ({
        ...one,
        recordId: own(one.recordId),
        above: own(one.above),
        below: own(one.below),
      });
      if (stand.current?.recordId === temporaryId) window.keep(record);
      stand.current = stand.current && renamed(stand.current);
      window.forgetNew(temporaryId);
      window.keepNew(record);
      setFresh((list) => list.map(renamed));
      setHold((before) => (before?.recordId === temporaryId ? { ...before, recordId: record.id } : before));
      setMeant((before) =>
        before.active?.key === temporaryId ? selectCell(record.id, before.active.fieldId) : before,
      );
    },
  };
};
