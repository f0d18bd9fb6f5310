// GET /space/:spaceId/search
import type { QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import { invalid } from '@rowhouse/contract/error.ts';
import { foldText } from '@rowhouse/contract/fold.ts';
import type { searchSpace as endpoint } from '@rowhouse/contract/space-search.ts';
import { boundRightsIn } from '../../catalog/access.ts';
import { hasScope } from '../../catalog/principal.ts';
import type { Rights } from '../../catalog/rights.ts';
import type { Context } from '../../context.ts';
import { listSeen } from '../automation/read-automations.ts';
import { selectSpaceBases } from '../base/base.sql.ts';
import { selectStanding } from '../collaborator/collaborator.sql.ts';
import { listNodes } from '../node/read-nodes.ts';
import { type NamedRow, selectNamed } from './named.sql.ts';

/** The rules of those bases in which some bind the caller. */
const rulesOf = async ({ db, principal: { userId } }: Context, spaceId: string): Promise<Map<string, Rights>> => {
  const bases = (await selectSpaceBases(db, userId, spaceId)).filter(({ isBound }) => isBound);
  const rules = new Map<string, Rights>();
  for (const { id } of bases) {
    const standing = await selectStanding(db, userId, { type: 'base', id });
    const rights = standing === undefined ? undefined : await boundRightsIn(db, standing, userId);
    if (rights !== undefined) rules.set(id, rights);
  }
  return rules;
};

/** Ids of the tables, folders and automations of a base that are there for somebody whom its rules bind. */
const seenIn = async (context: Context, baseId: string, rights: Rights): Promise<Set<string>> => {
  const inBase: Context = { ...context, access: { ...context.access, baseId, role: 'editor', rights } };
  const nodes = await listNodes(inBase, baseId);
  const automations = await listSeen(inBase, baseId);
  return new Set([...nodes.map(({ resourceId }) => resourceId), ...automations.map(({ id }) => id)]);
};

const withoutUnseen = async (
  context: Context,
  rows: readonly NamedRow[],
  rules: ReadonlyMap<string, Rights>,
): Promise<NamedRow[]> => {
  const seen = new Map<string, Set<string>>();
  for (const baseId of new Set(rows.filter(({ type }) => type !== 'base').map((row) => row.baseId))) {
    const rights = rules.get(baseId);
    if (rights !== undefined) seen.set(baseId, await seenIn(context, baseId, rights));
  }
  return rows.filter(({ type, baseId, id }) => type === 'base' || seen.get(baseId)?.has(id) !== false);
};

const isAfter = (one: NamedRow, cursor: string): boolean => `${one.createdTime} ${one.id}` < cursor;

export const searchSpace = async (
  context: Context,
  spaceId: string,
  { search, type, pageSize = 10, cursor }: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => {
  if (cursor !== undefined && !/^\S+ \w+$/.test(cursor))
    throw invalid({ path: 'query.cursor', message: 'It is not a cursor', expected: '`nextCursor` of the page before' });
  const { principal, db } = context;
  const wanted = foldText(search);
  const needs = {
    base: null,
    table: 'table|read',
    folder: 'table|read',
    workflow: 'automation|read',
    dashboard: 'base|read',
  } as const;
  const matching = (await selectNamed(db, spaceId)).filter((row) => {
    const scope = needs[row.type];
    return (
      (type === undefined || row.type === type) &&
      (scope === null || hasScope(principal, scope)) &&
      foldText(row.name).includes(wanted)
    );
  });
  const all = await withoutUnseen(context, matching, await rulesOf(context, spaceId));
  const rest = cursor === undefined ? all : all.filter((row) => isAfter(row, cursor));
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    list: page.map(({ createdUser, ...row }) => ({ ...row, ...(createdUser === null ? {} : { createdUser }) })),
    total: all.length,
    nextCursor: last === undefined || rest.length <= pageSize ? null : `${last.createdTime} ${last.id}`,
  };
};
