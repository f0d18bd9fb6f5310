// Checks what a webhook is to tell: tables, fields, view and conditions that the caller sees.
import { invalid, type Issue } from '@rowhouse/contract/error.ts';
import { type FilterField, readFilter } from '@rowhouse/contract/filter.ts';
import type { Webhook } from '@rowhouse/contract/webhook.ts';
import { type Sight, sightOf } from '../../catalog/sight.ts';
import type { Context } from '../../context.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import { literalAddress } from '../file/guarded-lookup.ts';
import { allowedAddresses } from './send.ts';
import type { WebhookSettings } from './webhook.sql.ts';

type Given = Pick<
  Webhook,
  'name' | 'url' | 'events' | 'tableIds' | 'fieldIds' | 'viewId' | 'filter' | 'withValues' | 'fieldKeyType'
>;

const urlIssues = ({ config }: Context, text: string): Issue[] => {
  const wrong = (message: string): Issue[] => [
    { path: 'url', message, expected: 'an http or https address of the public Internet, without a password' },
  ];
  if (!URL.canParse(text)) return wrong('It is not an address');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return wrong(`Nothing is sent to ${url.protocol}`);
  if (url.username !== '' || url.password !== '') return wrong('It holds a password');
  const host = literalAddress(url);
  return host === undefined || allowedAddresses(config)(host) ? [] : wrong(`${host} is not a public address`);
};

/** The one table that fields, view and conditions are of; undefined when there are none. */
const tableOf = async (context: Context, baseId: string, given: Given): Promise<Sight | undefined> => {
  const sights: Sight[] = [];
  for (const id of new Set(given.tableIds ?? []))
    sights.push(sightOf(context, await presentTable(context, baseId, id)));
  const isOfView = given.events.some((event) => event === 'view.entered' || event === 'view.left');
  if (given.fieldIds === null && given.viewId === null && given.filter === null && !isOfView) return undefined;
  if (sights.length !== 1)
    throw invalid({
      path: 'tableIds',
      message: 'Fields, a view and conditions belong to one table',
      expected: 'the id of one table',
    });
  if (isOfView && given.viewId === null)
    throw invalid({ path: 'viewId', message: 'These events are of a view', expected: 'the id of a view of the table' });
  return sights[0];
};

const unknownIssues = (sight: Sight, { fieldIds, viewId }: Given): Issue[] => [
  ...(fieldIds ?? []).flatMap((id, at): Issue[] =>
    sight.byId.has(id)
      ? []
      : [{ path: `fieldIds.${at}`, message: `The table has no field ${id}`, expected: 'the id of a field' }],
  ),
  ...(viewId === null || sight.table.views.some(({ id }) => id === viewId)
    ? []
    : [{ path: 'viewId', message: `The table has no view ${viewId}`, expected: 'the id of a view' }]),
];

export const readSettings = async (context: Context, baseId: string, given: Given): Promise<WebhookSettings> => {
  const sight = await tableOf(context, baseId, given);
  const issues = [...urlIssues(context, given.url), ...(sight === undefined ? [] : unknownIssues(sight, given))];
  const fields = new Map<string, FilterField>(sight?.fields.map((field) => [field.id, filterFieldOf(field)]));
  const filterAt = (at: 'before' | 'after'): unknown => {
    const filter = given.filter?.[at];
    if (filter === undefined) return null;
    const read = readFilter(filter, fields, `filter.${at}`);
    issues.push(...read.issues);
    return read.filter;
  };
  const [beforeFilter, afterFilter] = [filterAt('before'), filterAt('after')];
  if (issues.length > 0) throw invalid(issues);
  const { name, url, events, tableIds, fieldIds, viewId, withValues, fieldKeyType } = given;
  return { name, url, events, tableIds, fieldIds, viewId, beforeFilter, afterFilter, withValues, fieldKeyType };
};
