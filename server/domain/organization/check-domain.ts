// Whose a domain is, by its TXT record: when somebody asks, and every day. A record that is gone costs the domain after three days, or at
// once when another organisation shows its own.
import { ApiError, conflict, notFound } from '@rowhouse/contract/error.ts';
import { type Doer, doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { ClaimedDomain } from '@rowhouse/contract/enterprise.ts';
import type { Context, Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { demandFeature } from '../plan/demand-feature.ts';
import { limitUses } from '../user/limit-uses.ts';
import { demandAdmin } from './demand-organization.ts';
import {
  type DomainRow,
  isLongMissing,
  lockDomain,
  lose,
  noteCheck,
  selectDomain,
  selectDueDomains,
  selectHolder,
} from './domain.sql.ts';
import { domainVo, recordOf } from './domain-vo.ts';
import { selectSpaceIdsOf } from './organization.sql.ts';
import { resolveTxt } from './resolve-txt.ts';

const aDay = 24;
const graceHours = 3 * aDay;

const server: Doer = { userId: null, via: 'server', credentialId: null, ip: null, userAgent: null };

/** Null: it could not be asked. */
const isShown = async (config: Services['config'], row: DomainRow): Promise<boolean | null> => {
  const { name, value } = recordOf(row);
  const found = await resolveTxt(config, name);
  return found === null ? null : found.includes(value);
};

const tell = async (
  tx: Tx,
  doer: Doer,
  action: 'organization.domainVerified' | 'organization.domainLost',
  row: DomainRow,
) =>
  writeAudit(
    tx,
    doer,
    action,
    { spaceIds: await selectSpaceIdsOf(tx, row.organizationId) },
    { organizationId: row.organizationId, domain: row.domain },
  );

const loseDomain = async (tx: Tx, doer: Doer, row: DomainRow): Promise<void> => {
  await lose(tx, row.id);
  await tell(tx, doer, 'organization.domainLost', row);
};

export const checkDomain = async (
  context: Context,
  { organizationId, domainId }: { organizationId: string; domainId: string },
): Promise<ClaimedDomain> => {
  await demandAdmin(context, organizationId);
  demandFeature(context, 'domainVerificationEnable');
  const { db, config } = context;
  const row = await selectDomain(db, organizationId, domainId);
  if (row === undefined) throw notFound('Domain', domainId);
  await limitUses(db, {
    key: ['domain checks', organizationId],
    limit: 60,
    minutes: 60,
    message: 'The domains of this organisation were checked too often',
  });
  const shown = await isShown(config, row);
  if (shown === null)
    throw new ApiError('service_unavailable', `No name server could say anything about ${row.domain}; try again later`);
  // Asked before the transaction: nothing in it waits for the network.
  const holder = shown ? await selectHolder(db, row.domain) : undefined;
  const other = holder !== undefined && holder.id !== row.id ? holder : undefined;
  const isTheirs = other === undefined ? false : (await isShown(config, other)) !== false;
  return retriedTransaction(db, async (tx) => {
    const now = shown ? await selectHolder(tx, row.domain) : undefined;
    if (now !== undefined && now.id !== row.id) {
      if (isTheirs || now.id !== other?.id)
        throw conflict(`${row.domain} is a domain of another organisation, whose record is still there`);
      await lockDomain(tx, now.id);
      await loseDomain(tx, doerOf(context), now);
    }
    const before = await lockDomain(tx, row.id);
    if (before === undefined) throw notFound('Domain', domainId);
    const after = await noteCheck(tx, row.id, shown);
    if (before.verifiedTime === null && after.verifiedTime !== null)
      await tell(tx, doerOf(context), 'organization.domainVerified', after);
    return domainVo(after);
  });
};

/** One that no name server could say anything about is asked for again with the next round. */
export const checkDueDomains = async ({ db, config }: Services, signal?: AbortSignal): Promise<void> => {
  for (const row of await selectDueDomains(db, aDay, 500)) {
    signal?.throwIfAborted();
    const shown = await isShown(config, row);
    if (shown === null) continue;
    await retriedTransaction(db, async (tx) => {
      const now = await lockDomain(tx, row.id);
      if (now === undefined || now.verifiedTime === null) return;
      const after = await noteCheck(tx, row.id, shown);
      if (!shown && (await isLongMissing(tx, row.id, graceHours))) await loseDomain(tx, server, after);
    });
  }
};
