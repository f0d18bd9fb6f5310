// The one writer of rowhouse.automations and of the versions that were published.
import type { automationStates } from '@rowhouse/contract/automation.ts';
import type { Definition, TriggerType } from '@rowhouse/contract/automation-definition.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Actor } from '../../pipeline/act-as.ts';

export type AutomationState = (typeof automationStates)[number];

export interface AutomationRow {
  id: string;
  baseId: string;
  spaceId: string;
  /** Its base, or the space of it, is in the trash. */
  isTrashed: boolean;
  name: string;
  description: string | null;
  draft: Definition;
  version: number | null;
  /** Of the published version. */
  definition: Definition | null;
  publishedTime: string | null;
  state: AutomationState;
  reason: string | null;
  actsAs: Actor | null;
  actsAsName: string | null;
  publicKey: string;
  nextTime: string | null;
  createdBy: string;
  createdTime: string;
  lastModifiedTime: string | null;
}

/** What signs its calls: only those who send read it. */
interface SealedKeys {
  secret: Buffer;
  signingKey: Buffer;
}

const columns = sql`a.id, a.base_id as "baseId", b.space_id as "spaceId",
  (b.deleted_time is not null or exists (select from rowhouse.spaces s where s.id = b.space_id and s.deleted_time is not null)) as "isTrashed",
  a.name, a.description, a.draft, a.version, v.definition, v.created_time as "publishedTime", a.state, a.reason, a.acts_as as "actsAs",
  (select u.name from rowhouse.users u where u.id = a.acts_as ->> 'userId') as "actsAsName", a.public_key as "publicKey", a.next_time as "nextTime",
  a.created_by as "createdBy", a.created_time as "createdTime", a.last_modified_time as "lastModifiedTime"`;
const from = sql`rowhouse.automations a join rowhouse.bases b on b.id = a.base_id
  left join rowhouse.automation_versions v on v.automation_id = a.id and v.version = a.version`;

export const insertAutomation = async (
  tx: Queryable,
  given: {
    id: string;
    baseId: string;
    name: string;
    description: string | null;
    draft: Definition;
    createdBy: string;
    keys: SealedKeys & { publicKey: string };
  },
): Promise<void> => {
  const { id, baseId, name, description, draft, createdBy, keys } = given;
  await tx.query(
    sql`insert into rowhouse.automations (id, base_id, name, description, position, draft, secret, signing_key, public_key, created_by)
        values (${id}, ${baseId}, ${name}, ${description}, (select coalesce(max(position), 0) + 1 from rowhouse.automations where base_id = ${baseId}),
                ${JSON.stringify(draft)}::jsonb, ${keys.secret}, ${keys.signingKey}, ${keys.publicKey}, ${createdBy})`,
  );
};

export const updateDraft = async (
  tx: Queryable,
  id: string,
  { name, description, draft }: { name: string; description: string | null; draft: Definition },
): Promise<void> => {
  await tx.query(
    sql`update rowhouse.automations set name = ${name}, description = ${description}, draft = ${JSON.stringify(draft)}::jsonb, last_modified_time = now() where id = ${id}`,
  );
};

/** The draft becomes the version that runs. */
export const publishVersion = async (
  tx: Queryable,
  id: string,
  { definition, actsAs, nextTime }: { definition: Definition; actsAs: Actor; nextTime: string | null },
): Promise<void> => {
  await tx.query(
    sql`with numbered as (
          insert into rowhouse.automation_versions (automation_id, version, definition)
          select ${id}, coalesce(max(version), 0) + 1, ${JSON.stringify(definition)}::jsonb from rowhouse.automation_versions where automation_id = ${id}
          returning version
        )
        update rowhouse.automations set version = (select version from numbered), draft = ${JSON.stringify(definition)}::jsonb, state = 'on', reason = null,
          acts_as = ${JSON.stringify(actsAs)}::jsonb, next_time = ${nextTime}::timestamptz, last_modified_time = now() where id = ${id}`,
  );
};

/** Answers whether it was on until now. */
export const endAutomation = async (
  tx: Queryable,
  id: string,
  state: Exclude<AutomationState, 'on'>,
  reason: string | null,
): Promise<boolean> =>
  (await maybe(
    tx,
    sql`update rowhouse.automations set state = ${state}, reason = ${reason}, next_time = null where id = ${id} and state = 'on' returning id`,
  )) !== undefined;

/** From any state but on. */
export const turnOff = async (tx: Queryable, id: string): Promise<void> => {
  await tx.query(sql`update rowhouse.automations set state = 'off', reason = null, next_time = null where id = ${id}`);
};

/** Into the trash of its base, switched off. */
export const trashAutomationRow = async (tx: Queryable, id: string, by: string): Promise<void> => {
  await tx.query(
    sql`update rowhouse.automations set deleted_time = now(), deleted_by = ${by}, state = 'off', reason = null, next_time = null where id = ${id}`,
  );
};

/** Out of the trash, behind the others. */
export const untrashAutomationRow = async (tx: Queryable, id: string): Promise<void> => {
  await tx.query(
    sql`update rowhouse.automations a set deleted_time = null, deleted_by = null,
          position = (select coalesce(max(o.position), 0) + 1 from rowhouse.automations o where o.base_id = a.base_id)
        where id = ${id}`,
  );
};

/** One in the trash, for the rest of the transaction. */
export const lockTrashedAutomation = (
  tx: Queryable,
  id: string,
): Promise<{ id: string; baseId: string; name: string } | undefined> =>
  maybe(
    tx,
    sql`select id, base_id as "baseId", name from rowhouse.automations where id = ${id} and deleted_time is not null for update`,
  );

export const countAutomations = async (tx: Queryable, baseId: string): Promise<number> =>
  (
    await one<{ count: number }>(
      tx,
      sql`select count(*)::int as count from rowhouse.automations where base_id = ${baseId} and deleted_time is null`,
    )
  ).count;

/** For good, also when it is in the trash. Answers its name; undefined: the base has no such automation. */
export const deleteAutomationRow = async (tx: Queryable, baseId: string, id: string): Promise<string | undefined> =>
  (
    await maybe<{ name: string }>(
      tx,
      sql`delete from rowhouse.automations where id = ${id} and base_id = ${baseId} returning name`,
    )
  )?.name;

/** Right before or behind another one. All of a base are numbered again, so that there is always room between two. */
export const moveAutomationRow = async (
  tx: Queryable,
  baseId: string,
  { id, anchorId, isAfter }: { id: string; anchorId: string; isAfter: boolean },
): Promise<void> => {
  await tx.query(
    sql`update rowhouse.automations a set position = placed.number from (
          select o.id, row_number() over (order by
            case when o.id = ${id} then (select t.position from rowhouse.automations t where t.id = ${anchorId}) else o.position end,
            case when o.id = ${id} then ${isAfter ? 1 : -1} else 0 end, o.id) as number
          from rowhouse.automations o where o.base_id = ${baseId}
        ) placed where placed.id = a.id and a.position <> placed.number`,
  );
};

/** Those in the trash of a base, for good. Answers what they were. */
/** All of a base, or one of them. */
export const deleteTrashedAutomations = (
  tx: Queryable,
  baseId: string,
  id?: string,
): Promise<{ id: string; name: string }[]> =>
  many(
    tx,
    sql`delete from rowhouse.automations where base_id = ${baseId} and deleted_time is not null${id === undefined ? sql.empty : sql` and id = ${id}`} returning id, name`,
  );

export const setAddress = async (tx: Queryable, id: string, hash: string): Promise<void> => {
  await tx.query(sql`update rowhouse.automations set address_hash = ${hash} where id = ${id}`);
};

export const setSecret = async (tx: Queryable, id: string, secret: Buffer): Promise<void> => {
  await tx.query(sql`update rowhouse.automations set secret = ${secret} where id = ${id}`);
};

export const setNextTime = async (tx: Queryable, id: string, nextTime: string | null): Promise<void> => {
  await tx.query(sql`update rowhouse.automations set next_time = ${nextTime}::timestamptz where id = ${id}`);
};

const selectBy = (db: Queryable, where: Sql): Promise<AutomationRow[]> =>
  many<AutomationRow>(db, sql`select ${columns} from ${from} where a.deleted_time is null and ${where}`);

export const selectAutomations = (db: Queryable, baseId: string): Promise<AutomationRow[]> =>
  selectBy(db, sql`a.base_id = ${baseId} order by a.position, a.id`);

export const selectAutomation = async (db: Queryable, id: string): Promise<AutomationRow | undefined> =>
  (await selectBy(db, sql`a.id = ${id}`))[0];

export const selectByAddress = async (db: Queryable, hash: string): Promise<AutomationRow | undefined> =>
  (await selectBy(db, sql`a.address_hash = ${hash} and a.state = 'on'`))[0];

/** For the rest of the transaction. */
export const lockAutomation = async (tx: Queryable, baseId: string, id: string): Promise<AutomationRow | undefined> =>
  (await selectBy(tx, sql`a.id = ${id} and a.base_id = ${baseId} for no key update of a`))[0];

/** Those that are on, with triggers of these types. */
export const selectOn = (db: Queryable, baseId: string, types: readonly TriggerType[]): Promise<AutomationRow[]> =>
  selectBy(
    db,
    sql`a.base_id = ${baseId} and a.state = 'on' and v.definition -> 'trigger' ->> 'type' = any(${types}::text[]) order by a.position, a.id`,
  );

export const selectKeys = (db: Queryable, id: string): Promise<SealedKeys> =>
  one<SealedKeys>(db, sql`select secret, signing_key as "signingKey" from rowhouse.automations where id = ${id}`);

/** Schedules and dates that are due: nobody else takes them meanwhile. */
export const lockDue = (tx: Queryable, limit: number): Promise<{ id: string; nextTime: string }[]> =>
  many(
    tx,
    sql`select id, next_time as "nextTime" from rowhouse.automations where state = 'on' and next_time <= now() order by next_time limit ${limit} for update skip locked`,
  );

export const countOn = async (db: Queryable, baseId: string, types: readonly TriggerType[]): Promise<number> =>
  (
    await one<{ count: number }>(
      db,
      sql`select count(*)::int as count from rowhouse.automations a join rowhouse.automation_versions v on v.automation_id = a.id and v.version = a.version
          where a.base_id = ${baseId} and a.state = 'on' and v.definition -> 'trigger' ->> 'type' = any(${types}::text[])`,
    )
  ).count;

/** One that was published once. */
export const selectVersion = async (db: Queryable, id: string, version: number): Promise<Definition> =>
  (
    await one<{ definition: Definition }>(
      db,
      sql`select definition from rowhouse.automation_versions where automation_id = ${id} and version = ${version}`,
    )
  ).definition;

/** Those of the tables that are in the base, and not in its trash. */
export const selectPresentTables = async (
  db: Queryable,
  baseId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> =>
  new Set(
    ids.length === 0
      ? []
      : (
          await many<{ id: string }>(
            db,
            sql`select id from rowhouse.tables where base_id = ${baseId} and id = any(${ids}::text[]) and deleted_time is null`,
          )
        ).map(({ id }) => id),
  );
