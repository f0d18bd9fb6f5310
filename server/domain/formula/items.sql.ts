// Values and lists together as one list, empty values as nulls: what functions over any number of values work on.
import { type Sql, sql } from '../../db/sql.ts';
import { chained } from './bind.sql.ts';
import { isoText, sqlTypes } from './convert.sql.ts';
import type { Writing } from './function.ts';
import type { Kind } from './term.ts';

/** Neighbours of one kind become one array: a function takes at most a hundred values, an array any number. */
const listsOf = (values: readonly Sql[], { args }: Writing): Sql[] => {
  const lists: Sql[] = [];
  let kind: Kind | undefined;
  let group: Sql[] = [];
  const close = (): void => {
    if (kind !== undefined)
      lists.push(sql`to_jsonb(array[${sql.join(group)}]::${sqlTypes[kind === 'datetime' ? 'text' : kind]}[])`);
    [kind, group] = [undefined, []];
  };
  values.forEach((value, at) => {
    const type = args[at]?.type ?? { kind: 'text', list: false };
    const own = type.kind === 'blank' ? 'text' : type.kind;
    if (type.list || own !== kind) close();
    if (type.list) lists.push(sql`coalesce(${value}, '[]'::jsonb)`);
    else [kind, group] = [own, [...group, own === 'datetime' ? isoText(value) : value]];
  });
  close();
  return lists;
};

export const itemsOf = (values: readonly Sql[], writing: Writing): Sql => chained(listsOf(values, writing), sql`||`);

/** How many items of it are as wanted; `e` is the item. */
export const countOf = (items: Sql, wanted: Sql): Sql =>
  sql`(select count(*) from jsonb_array_elements(${items}) as item(e) where ${wanted})::double precision`;
