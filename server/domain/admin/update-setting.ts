// PATCH /admin/setting. Every process reads the settings when it needs them, so a change holds with the next request anywhere.
import type { updateSetting as endpoint } from '@rowhouse/contract/setting.ts';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { bumpEpochs } from '../../catalog/access.sql.ts';
import { doerOf, writeAudit } from '../../catalog/audit.sql.ts';
import type { Context } from '../../context.ts';
import { retriedTransaction } from '../../db/deadlock.ts';
import { shortenSessions } from '../auth/session.sql.ts';
import { lockSettings, type Settings, writeSettings } from '../setting/setting.sql.ts';

const given = (change: BodyOf<typeof endpoint>): Partial<Settings> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<Settings>;

export const updateSetting = (context: Context, change: BodyOf<typeof endpoint>): Promise<void> =>
  retriedTransaction(context.db, async (tx) => {
    const before = await lockSettings(tx);
    const after = { ...before, ...given(change) };
    const changed = (Object.keys(after) as (keyof Settings)[]).filter(
      (key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]),
    );
    if (changed.length === 0) return;
    await writeSettings(tx, { ...after, refusedEmailDomains: [...new Set(after.refusedEmailDomains)].sort() });
    if (changed.includes('sessionIdleHours') || changed.includes('sessionHours'))
      // Whose sessions were remembered elsewhere with another end.
      await bumpEpochs(tx, await shortenSessions(tx, context.config));
    await writeAudit(
      tx,
      doerOf(context),
      'setting.changed',
      {},
      Object.fromEntries(changed.map((key) => [key, { before: before[key], after: after[key] }])),
    );
  });
