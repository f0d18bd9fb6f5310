// What the address of the first page says about what will be needed: the scripts of its screen, and its data. Measured:
// one after another, as the app finds out about them, the first visit to a table took half as long again.
import { getGroupPoints, getRowCount } from '@rowhouse/contract/aggregation.ts';
import { getUserMe } from '@rowhouse/contract/auth.ts';
import { getBase } from '@rowhouse/contract/base.ts';
import { listBaseUsers } from '@rowhouse/contract/collaborator.ts';
import { listFields } from '@rowhouse/contract/field.ts';
import { listRecords } from '@rowhouse/contract/record.ts';
import { listSpaces } from '@rowhouse/contract/space.ts';
import { listTables } from '@rowhouse/contract/table.ts';
import { listViews, type View } from '@rowhouse/contract/view.ts';
import {
  chosenView,
  isGroupedView,
  pageSize,
  peopleOfBase,
  recordsPage,
  sizeOf,
} from '../record-data/first-questions.ts';
import { asTold } from '../record-data/own-query.ts';
import { askEarly, askPosition } from '../app/early.ts';

export interface Screen {
  /** Of a table. */
  place?: { baseId: string; tableId: string };
  /** Its scripts. */
  loaded: Promise<unknown>;
}

const askForRecords = async (tableId: string, viewId: string | null): Promise<void> => {
  const views = askEarly(listViews, { params: { tableId } });
  const [answer] = await Promise.all([views, askPosition(tableId, views)]);
  if (!answer.ok) return;
  const view = chosenView(((await answer.clone().json()) as View[]).map(asTold), viewId);
  if (view?.type !== 'grid') return;
  const params = { tableId };
  void askEarly(listRecords, { params, query: recordsPage(view.id, 0, pageSize) });
  void askEarly(isGroupedView(view) ? getGroupPoints : getRowCount, { params, query: sizeOf(view.id) });
};

export const askForScreen = ({ pathname, search }: Location): Screen => {
  void askEarly(getUserMe, {});
  const [, baseId, tableId] = /^\/base\/([^/]+)\/(tbl[^/]+)\/?$/.exec(pathname) ?? [];
  if (baseId === undefined || tableId === undefined)
    return { loaded: pathname === '/' ? import('../home/home-page.tsx') : Promise.resolve() };
  void askForRecords(tableId, new URLSearchParams(search).get('view')).catch(() => undefined);
  void askEarly(listFields, { params: { tableId } });
  void askEarly(getBase, { params: { baseId } });
  void askEarly(listTables, { params: { baseId } });
  void askEarly(listSpaces, {});
  void askEarly(listBaseUsers, peopleOfBase(baseId));
  return {
    place: { baseId, tableId },
    loaded: Promise.all([import('../table/base-page.tsx'), import('../table/table-page.tsx')]),
  };
};
