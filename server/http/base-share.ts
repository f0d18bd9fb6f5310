// The header by which ordinary requests read a shared base: what may be read so, and as whom. Everybody who sends it is a visitor: a credential beside it is not even looked at.
import type { IncomingHttpHeaders } from 'node:http';
import * as aggregation from '@rowhouse/contract/aggregation.ts';
import * as base from '@rowhouse/contract/base.ts';
import { baseShareHeader } from '@rowhouse/contract/base-share.ts';
import { getBaseDiagram } from '@rowhouse/contract/diagram.ts';
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { forbidden } from '@rowhouse/contract/error.ts';
import { listenToTable } from '@rowhouse/contract/event.ts';
import * as field from '@rowhouse/contract/field.ts';
import * as node from '@rowhouse/contract/node.ts';
import * as record from '@rowhouse/contract/record.ts';
import * as selection from '@rowhouse/contract/selection.ts';
import * as table from '@rowhouse/contract/table.ts';
import * as view from '@rowhouse/contract/view.ts';
import type { Access } from '../catalog/access.ts';
import type { Resource } from '../catalog/access.sql.ts';
import type { Services } from '../context.ts';
import { visitBase } from '../domain/base-share/visit.ts';
import type { RawQuery } from './query.ts';
import { viewAsHeader } from './view-as.ts';

const readable: readonly Declaration[] = [
  base.getBase,
  base.getBasePermission,
  getBaseDiagram,
  node.listNodes,
  node.getNodeTree,
  node.getNode,
  table.listTables,
  table.getTable,
  table.getDefaultViewId,
  table.getTablePermission,
  field.listFields,
  field.getField,
  view.listViews,
  view.getView,
  record.listRecords,
  record.getRecord,
  record.getRecordStatus,
  aggregation.getAggregation,
  aggregation.getRowCount,
  aggregation.getGroupPoints,
  aggregation.getSearchCount,
  aggregation.getSearchIndex,
  aggregation.getRecordIndex,
  aggregation.getCalendarDays,
  listenToTable,
];
/** Of shares that allow copying. */
const copyable: readonly Declaration[] = [selection.copyRanges];
const names = new Set([...readable, ...copyable].map(({ name }) => name));
const copying = new Set(copyable.map(({ name }) => name));

/** The share that a request reads through; undefined for one that is the caller's own. */
export const baseShareOf = (
  endpoint: Declaration,
  headers: IncomingHttpHeaders,
  query: RawQuery,
): string | undefined => {
  // A browser's stream of events cannot send a header.
  const given = headers[baseShareHeader] ?? (endpoint.name === listenToTable.name ? query['baseShare'] : undefined);
  if (given === undefined || endpoint.access.on === 'public') return undefined;
  if (!names.has(endpoint.name) || headers[viewAsHeader] !== undefined || query['viewAs'] !== undefined)
    throw forbidden('This is a share: its base, tables, fields, views and records can be read, and nothing else');
  return String(given);
};

export const accessOfVisitor = (
  services: Services,
  endpoint: Declaration,
  shareId: string,
  headers: IncomingHttpHeaders,
  resource: Resource | null,
): Promise<Access> => visitBase(services, shareId, headers, resource as Resource, copying.has(endpoint.name));
