// What happens in a base starts its automations: one follower for all of them. A run is a row that is written in the transaction which moves the follower.
import { createHash } from 'node:crypto';
import type { Trigger, TriggerType } from '@rowhouse/contract/automation-definition.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { type MatchField, matches } from '@rowhouse/contract/matches.ts';
import type { Sight } from '../../catalog/sight.ts';
import type { Context, Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { passesOf } from '../../db/error.ts';
import { contextOf } from '../../pipeline/act-as.ts';
import { addJob } from '../../work/job.sql.ts';
import type { FeedRow } from '../feed/feed.sql.ts';
import { recordIdsOf } from '../feed/record-ids.ts';
import type { FollowerKind } from '../feed/follow.ts';
import { kindOf, loadSight } from '../feed/seen-changes.ts';
import { filterFieldOf } from '../field/field-vo.ts';
import { type Cells, type RecordStates, recordStates } from '../webhook/record-states.ts';
import { type AutomationRow, selectOn } from './automation.sql.ts';
import { type NewComment, selectNewComments } from './comment.sql.ts';
import { endAndTell, feedTriggers } from './end-automation.ts';
import { presentTables } from './known-tables.ts';
import { newRun, type Origin, runPortions } from './new-run.ts';
import { readDefinition, tablesIn } from './read-definition.ts';
import { recordOutput } from './record-output.ts';
import { type NewRun, selectCauses } from './run.sql.ts';
import { runJob } from './run-job.ts';

/** The same for the same event, so that nothing starts an automation twice. */
export const eventOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('base64url').slice(0, 32);

type TableTrigger = Extract<Trigger, { tableId: string }>;
type Follows = AutomationRow & { trigger: TableTrigger };

/** Undefined when the person may not any more: then the automation stops, with the reason. */
export const contextFor = async (
  services: Services,
  tx: Tx,
  automation: AutomationRow,
): Promise<Context | undefined> => {
  try {
    const place = { type: 'base', id: automation.baseId } as const;
    return await contextOf(services, tx, automation.actsAs as never, place, ['automation|update'], automation.id);
  } catch (error) {
    if (!(error instanceof ApiError) || passesOf(error) !== 'no') throw error;
    // The base may come back.
    if (automation.isTrashed) return undefined;
    await endAndTell(tx, automation, 'stopped', stopReason(error));
    return undefined;
  }
};

export const stopReason = (error: ApiError): string =>
  error.code === 'unauthorized'
    ? 'the account or token that it acts as is not valid any more'
    : `the person that it acts as may not do this any more (${error.message})`;

const typesFor = (row: FeedRow): readonly TriggerType[] => {
  switch (
    row.kind === 'schema' || row.kind === 'view' || row.kind === 'tables' || row.kind === 'dashboard'
      ? null
      : kindOf(row)
  ) {
    case 'records.created':
      // Records that come back from the trash are not new.
      return row.kind === 'restore'
        ? ['recordMatches', 'viewEntered']
        : ['recordCreated', 'recordMatches', 'viewEntered', ...(row.form === null ? [] : ['formSubmitted' as const])];
    case 'records.updated':
      return ['recordUpdated', 'recordMatches', 'viewEntered'];
    case 'comments.changed':
      return ['commentAdded'];
    default:
      return [];
  }
};

const isWatched = ({ trigger }: Follows, row: FeedRow): boolean =>
  trigger.tableId === row.tableId &&
  typesFor(row).includes(trigger.type) &&
  (trigger.type !== 'formSubmitted' || trigger.viewId === row.form) &&
  // Computed fields start it only when they are named.
  (trigger.type !== 'recordUpdated' ||
    row.kind !== 'computed' ||
    (trigger.fieldIds ?? []).some((id) => row.fieldIds?.includes(id) === true));

type Judge = (filter: unknown, cells: Cells | null | undefined) => boolean;

/** What is not there, or not known, meets no filter. */
export const judgeOf = (sight: Pick<Sight, 'fields' | 'asker'>): Judge => {
  const fields = new Map<string, MatchField>(
    sight.fields.map((field) => [field.id, { ...filterFieldOf(field), options: field.options }]),
  );
  return (filter, cells) => cells != null && matches(filter as never, fields, cells, sight.asker);
};

const starts = (
  { trigger }: Follows,
  sight: Sight,
  judge: Judge,
  { before, after, changed }: RecordStates,
): boolean => {
  if (after == null) return false;
  switch (trigger.type) {
    case 'recordCreated':
      return trigger.filter == null || judge(trigger.filter, after);
    case 'recordUpdated':
      return (
        changed.some((id) => trigger.fieldIds == null || trigger.fieldIds.includes(id)) &&
        (trigger.filter == null || judge(trigger.filter, after))
      );
    case 'recordMatches':
      return !judge(trigger.filter, before) && judge(trigger.filter, after);
    case 'viewEntered': {
      const view = sight.table.views.find(({ id }) => id === trigger.viewId);
      return view !== undefined && !judge(view.filter, before) && judge(view.filter, after);
    }
    default:
      return true;
  }
};

interface Page {
  services: Services;
  tx: Tx;
  contexts: Map<string, Promise<Context | undefined>>;
  origins: ReadonlyMap<string, Origin>;
  names: Map<string, string>;
}

const originOf = ({ origins }: Page, { clientId, actor }: FeedRow): Origin => ({
  ...(origins.get(clientId ?? '') ?? { depth: 0, chain: [] }),
  by: actor,
});

const commentsOf = (page: Page, automation: Follows, row: FeedRow, ids: readonly string[]): Promise<NewComment[]> =>
  automation.trigger.type === 'commentAdded'
    ? selectNewComments(page.tx, automation.baseId, row, ids)
    : Promise.resolve([]);

async function* runsOf(page: Page, automation: Follows, row: FeedRow): AsyncGenerator<NewRun> {
  const { services, tx, contexts } = page;
  const actor = JSON.stringify(automation.actsAs);
  const context = await (contexts.get(actor) ?? contexts.set(actor, contextFor(services, tx, automation)).get(actor));
  if (context === undefined) return;
  const sight = await loadSight(tx, context, automation.baseId, row.tableId);
  // The table is in the trash, or deleted for good.
  if (sight === undefined) return;
  const judge = judgeOf(sight);
  const origin = originOf(page, row);
  for await (const part of recordStates(tx, sight, row, await recordIdsOf(tx, automation.baseId, row))) {
    const comments = await commentsOf(
      page,
      automation,
      row,
      part.map(({ id }) => id),
    );
    for (const states of part) {
      if (!starts(automation, sight, judge, states)) continue;
      const { before, changed } = states;
      const trigger = {
        record: recordOutput(services, sight, states.id, states.after as Cells),
        ...(automation.trigger.type === 'recordCreated' || before == null ? {} : { before }),
        ...(changed.length === 0 ? {} : { changed }),
        time: row.time,
      };
      if (automation.trigger.type !== 'commentAdded')
        yield newRun(services, automation, origin, eventOf(row.operationId, states.id), trigger);
      for (const { id, text } of comments.filter(({ recordId }) => recordId === states.id))
        yield newRun(services, automation, origin, eventOf(id), { ...trigger, comment: text });
    }
  }
}

/** After a change of a schema: a version that no longer fits is in error, and does not run. */
const checkAll = async (services: Services, tx: Tx, baseId: string): Promise<void> => {
  for (const automation of await selectOn(tx, baseId, allTriggers)) await checkFits(services, tx, automation);
};

const allTriggers: readonly TriggerType[] = [
  ...feedTriggers,
  'buttonPressed',
  'schedule',
  'dateReached',
  'incomingCall',
];

/** Whether the published version still fits its base. If not it is turned off, with the reason. */
export const checkFits = async (services: Services, tx: Tx, automation: AutomationRow): Promise<boolean> => {
  if (automation.definition === null) return false;
  const ids = tablesIn(automation.definition);
  const { issues } = readDefinition(
    automation.definition,
    await presentTables({ ...services, db: tx }, automation.baseId, ids),
  );
  const [first] = issues;
  if (first === undefined) return true;
  await endAndTell(
    tx,
    automation,
    'error',
    `${first.message} (${first.path})${issues.length > 1 ? `, and ${issues.length - 1} more` : ''}`,
  );
  return false;
};

export const automationFollower: FollowerKind = {
  name: 'automation',
  async take(services, tx, { baseId, spaceId }, rows) {
    if (rows.some(({ kind }) => kind === 'schema' || kind === 'view' || kind === 'tables'))
      await checkAll(services, tx, baseId);
    const automations = (await selectOn(tx, baseId, feedTriggers)).map(
      (one): Follows => ({ ...one, trigger: one.definition?.trigger as TableTrigger }),
    );
    const wanted = rows.flatMap((row) =>
      automations.filter((one) => isWatched(one, row)).map((automation) => ({ row, automation })),
    );
    if (wanted.length === 0) return undefined;
    const causes = [
      ...new Set(wanted.flatMap(({ row }) => (row.clientId?.startsWith('wru') === true ? [row.clientId] : []))),
    ];
    const origins = new Map(
      (causes.length === 0 ? [] : await selectCauses(tx, causes)).map(({ id, automationId, depth, chain }) => [
        id,
        { depth, chain: [...chain, automationId], by: null },
      ]),
    );
    const page: Page = { services, tx, contexts: new Map(), origins, names: new Map() };
    const runs = runPortions(tx, spaceId);
    let taken: number | undefined;
    for (const row of rows) {
      if (taken !== undefined && runs.isMuch()) break;
      for (const one of wanted)
        if (one.row === row) for await (const run of runsOf(page, one.automation, row)) await runs.add(run);
      taken = row.seq;
    }
    await runs.flush();
    if (runs.count() > 0) await addJob(tx, runJob({ baseId, spaceId }));
    return taken === rows.at(-1)?.seq ? undefined : taken;
  },
  async paused(_services, tx, { baseId }) {
    for (const automation of await selectOn(tx, baseId, feedTriggers))
      await endAndTell(
        tx,
        automation,
        'paused',
        'it was too far behind the changes of the base: later ones do not start it until it is turned on',
      );
  },
};
