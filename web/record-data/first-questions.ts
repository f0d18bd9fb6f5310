// Questions that are asked twice over: before the app is there (app/first-screen.ts), and by the screen that needs the
// answer. They must be the same to the letter, or the answer is fetched twice.
import type { View } from '@rowhouse/contract/view.ts';
import { groupsOf, orderOf, whichRecords } from './own-query.ts';

/** So many records are read at once. */
export const pageSize = 200;

/** Without one in the address the first that everyone shares. */
export const chosenView = (views: readonly View[], viewId: string | null | undefined): View | undefined =>
  views.find(({ id }) => id === viewId) ?? views.find(({ personalOf }) => personalOf === undefined) ?? views[0];

export const isGroupedView = ({ group }: View): boolean => (group?.length ?? 0) > 0;

export const recordsPage = (viewId: string, skip: number, take: number) => ({
  ...whichRecords(viewId),
  ...orderOf(viewId),
  fieldKeyType: 'id' as const,
  skip,
  take,
  withGroups: false,
});

export const sizeOf = (viewId: string) => ({ ...whichRecords(viewId), ...groupsOf(viewId) });

export const peopleOfBase = (baseId: string) => ({ params: { baseId }, query: { take: 1_000 } });
