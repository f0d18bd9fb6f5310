// What the views of the app ask their table for, asked of a share: of records and numbers, and of nothing else.
import { askThrough } from '../app/call.ts';

const places: Readonly<Record<string, string>> = {
  record: 'records',
  aggregation: 'aggregations',
  'aggregation/row-count': 'row-count',
  'aggregation/group-points': 'group-points',
};

export const shareAddress = (url: string, shareId: string, tableId: string): string => {
  const [, table, what = '', query = ''] = /^\/api\/table\/([^/?]+)\/([^?]+)(\?.*)?$/.exec(url) ?? [];
  const place = table === tableId ? places[what] : undefined;
  return place === undefined ? url : `/api/share/${encodeURIComponent(shareId)}/view/${place}${query}`;
};

export const throughShare = (shareId: string, tableId: string): void =>
  askThrough((url) => shareAddress(url, shareId, tableId));
