// The names under which a connection subscribes to something: collections, single documents, and the channels of presence that Teable's
// clients know.
import { isId } from '@rowhouse/contract/id.ts';
import { type Collection, collectionOf, type FeedPlace } from './collection.ts';

export type Channel =
  | { on: 'documents'; collection: Collection }
  /** Somebody's own notifications. */
  | { on: 'inbox'; userId: string }
  /** Who has a table open, and which cells they are in. */
  | { on: 'people'; tableId: string }
  /** That something of a table has changed, for those who show figures about it. */
  | { on: 'actions'; place: FeedPlace }
  /** The same of a view. Its table is followed by those who show the view. */
  | { on: 'view'; viewId: string }
  /** Clients listen there, but nothing is ever said. */
  | { on: 'silence'; place: FeedPlace };

const presencePrefix = '$presence.';

export const presenceChannel = (name: string): string => presencePrefix + name;

const forms: [RegExp, (id: string) => Channel][] = [
  [/^__notification_user_(usr\w+)$/, (userId) => ({ on: 'inbox', userId })],
  [/^__col_(?:cell_)?user_(tbl\w+)$/, (tableId) => ({ on: 'people', tableId })],
  [/^__action_trigger_(tbl\w+)$/, (id) => ({ on: 'actions', place: { type: 'table', id } })],
  [/^__action_trigger_(viw\w+)$/, (viewId) => ({ on: 'view', viewId })],
  [
    /^__(?:table_comment|table_import|table_button_click)_(tbl\w+)$/,
    (id) => ({ on: 'silence', place: { type: 'table', id } }),
  ],
  [/^__record_comment_(tbl[0-9A-Za-z]+)_rec\w+$/, (id) => ({ on: 'silence', place: { type: 'table', id } })],
  [/^__base_permission_update_(bse\w+)$/, (id) => ({ on: 'silence', place: { type: 'base', id } })],
];

const idKind = { tbl: true, usr: true, viw: true, bse: true } as const;

export const presenceOf = (name: string): Channel | undefined => {
  for (const [form, channel] of forms) {
    const id = form.exec(name)?.[1];
    if (id !== undefined && isId(id.slice(0, 3) as keyof typeof idKind, id)) return channel(id);
  }
  return undefined;
};

/** Of a channel of ShareDB. */
export const channelOf = (name: string): Channel | undefined => {
  if (name.startsWith(presencePrefix)) return presenceOf(name.slice(presencePrefix.length));
  const collection = collectionOf(name.split('.')[0] as string);
  return collection === undefined ? undefined : { on: 'documents', collection };
};
