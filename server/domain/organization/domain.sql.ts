// The one writer of rowhouse.organization_domains.
import type { ClaimedDomain } from '@rowhouse/contract/enterprise.ts';
import { many, maybe, one, type Queryable } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

export interface DomainRow extends Omit<ClaimedDomain, 'recordName' | 'recordValue' | 'isVerified'> {
  organizationId: string;
  token: string;
}

const text = (time: Sql): Sql => sql`to_json(${time}) #>> '{}'`;
const columns = sql`d.id, d.organization_id as "organizationId", d.domain, d.token, ${text(sql`d.created_time`)} as "createdTime", ${text(sql`d.verified_time`)} as "verifiedTime",
  ${text(sql`d.checked_time`)} as "checkedTime", ${text(sql`d.missing_since`)} as "missingSince"`;

export const selectDomains = (db: Queryable, organizationId: string): Promise<DomainRow[]> =>
  many(
    db,
    sql`select ${columns} from rowhouse.organization_domains d where d.organization_id = ${organizationId} order by d.domain`,
  );

export const selectDomain = (db: Queryable, organizationId: string, id: string): Promise<DomainRow | undefined> =>
  maybe(
    db,
    sql`select ${columns} from rowhouse.organization_domains d where d.organization_id = ${organizationId} and d.id = ${id}`,
  );

/** Behind a lock: two that check it at once come one after the other. */
export const lockDomain = (tx: Queryable, id: string): Promise<DomainRow | undefined> =>
  maybe(tx, sql`select ${columns} from rowhouse.organization_domains d where d.id = ${id} for update`);

export const selectVerifiedDomains = async (db: Queryable, organizationId: string): Promise<Set<string>> => {
  const rows = await selectDomains(db, organizationId);
  return new Set(rows.filter(({ verifiedTime }) => verifiedTime !== null).map(({ domain }) => domain));
};

/** Who has verified it. */
export const selectHolder = (db: Queryable, domain: string): Promise<DomainRow | undefined> =>
  maybe(
    db,
    sql`select ${columns} from rowhouse.organization_domains d where d.domain = ${domain} and d.verified_time is not null`,
  );

export const insertDomain = (
  db: Queryable,
  domain: { id: string; organizationId: string; domain: string; token: string },
): Promise<DomainRow | undefined> =>
  maybe(
    db,
    sql`insert into rowhouse.organization_domains as d (id, organization_id, domain, token)
        values (${domain.id}, ${domain.organizationId}, ${domain.domain}, ${domain.token}) on conflict (organization_id, domain) do nothing returning ${columns}`,
  );

export const deleteDomain = async (db: Queryable, id: string): Promise<void> => {
  await db.query(sql`delete from rowhouse.organization_domains where id = ${id}`);
};

/** `found`: the record is there. A verified domain stays so while its record is missing, until `lose`. */
export const noteCheck = (db: Queryable, id: string, found: boolean): Promise<DomainRow> =>
  one(
    db,
    found
      ? sql`update rowhouse.organization_domains d set checked_time = now(), missing_since = null, verified_time = coalesce(d.verified_time, now()) where d.id = ${id} returning ${columns}`
      : sql`update rowhouse.organization_domains d set checked_time = now(), missing_since = case when d.verified_time is null then null else coalesce(d.missing_since, now()) end
            where d.id = ${id} returning ${columns}`,
  );

export const lose = async (db: Queryable, id: string): Promise<void> => {
  await db.query(
    sql`update rowhouse.organization_domains set verified_time = null, missing_since = null where id = ${id}`,
  );
};

/** Not looked at for this long. Those that were never verified are left alone: people ask for them. */
export const selectDueDomains = (db: Queryable, hours: number, limit: number): Promise<DomainRow[]> =>
  many(
    db,
    sql`select ${columns} from rowhouse.organization_domains d
        where d.verified_time is not null and (d.checked_time is null or d.checked_time < now() - make_interval(hours => ${hours}))
        order by d.checked_time nulls first, d.id limit ${limit}`,
  );

/** Missing for longer than that. */
export const isLongMissing = async (db: Queryable, id: string, hours: number): Promise<boolean> =>
  (
    await one<{ is: boolean }>(
      db,
      sql`select coalesce(missing_since < now() - make_interval(hours => ${hours}), false) as "is" from rowhouse.organization_domains where id = ${id}`,
    )
  ).is;
