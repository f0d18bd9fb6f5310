// Calls and e-mails of runs, beside the jobs: a receiver that hangs takes no slot from anyone. The row of the run holds a lease meanwhile; a process that is killed leaves one that
// ends, and the same is sent again under the same id.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Definition } from '@rowhouse/contract/automation-definition.ts';
import type { Services } from '../../context.ts';
import type { Tx } from '../../db/db.ts';
import { passesOf } from '../../db/error.ts';
import { isRefusedForGood, sendBySmtp } from '../mail/smtp.ts';
import { createPlaces } from '../webhook/places.ts';
import { pauseAfter } from '../webhook/retry.ts';
import { allowedAddresses, send } from '../webhook/send.ts';
import { signatureOf } from '../webhook/sign.ts';
import { type AutomationRow, selectKeys } from './automation.sql.ts';
import { noteReached, selectReached } from './email.sql.ts';
import { delayRun, endRun, extendLease, lockRun, moveRun, type RunRow, writeStep } from './run.sql.ts';
import { runJob } from './run-job.ts';
import type { Outside } from './run-step.ts';
import { pathAfter, stepAt } from './walk.ts';

/** Requests of one process at once: in all, and of one base. */
const limits = { all: 64, each: 8 };
const longestAnswer = 1_000_000;

const places = createPlaces(limits.all);
const placeOf = ({ baseId, spaceId }: Pick<AutomationRow, 'baseId' | 'spaceId'>) => ({ id: baseId, spaceId });

/** Taken before anything is awaited: two runs that look at the same moment do not both find the last one. Answers how to give it back; nothing when none is free. */
export const takePlaceOutside = (automation: Pick<AutomationRow, 'baseId' | 'spaceId'>): (() => void) | undefined => {
  const place = placeOf(automation);
  if (places.roomFor(place, limits.each) === 0) return undefined;
  places.take(place, 1);
  return () => places.take(place, -1);
};

interface Ended {
  output?: unknown;
  /** What went wrong. */
  error?: string;
  /** Another attempt may help. */
  mayPass?: boolean;
  retryAfter?: number | null;
}

/** The same for all attempts of a step of a run: a receiver can drop what it has. */
const idOf = ({ id, path }: RunRow): string =>
  `msg_${createHash('sha256').update(`${id} ${path}`).digest('base64url').slice(0, 32)}`;

const parsed = (text: string | null): unknown => {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const call = async (services: Services, automation: AutomationRow, run: RunRow, outside: Outside): Promise<Ended> => {
  const { secretKey, db, config, now, stopping } = services;
  const keys = await selectKeys(db, automation.id);
  const [secret, signingKey] = [secretKey.unseal(keys.secret), secretKey.unseal(keys.signingKey)];
  if (secret === undefined || signingKey === undefined)
    return { error: 'The key of this server cannot open the secret of the automation: make a new one' };
  const id = idOf(run);
  const timestamp = Math.floor(now().getTime() / 1_000);
  const body = outside.body ?? '';
  const sent = await send(
    outside.url as string,
    body,
    {
      ...outside.headers,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf({ id, timestamp, body }, [secret], signingKey),
    },
    allowedAddresses(config),
    stopping,
    { method: outside.method as string, longestAnswer },
  );
  const { status, answer, error, retryAfter } = sent;
  if (status === null) return { error: error ?? 'no answer', mayPass: !(error ?? '').endsWith('not a public address') };
  if (status >= 500 || status === 429) return { error: `The receiver answered ${status}`, mayPass: true, retryAfter };
  return { output: { status, body: parsed(answer) } };
};

/** Seconds; longer than a mail server takes for one e-mail at most. */
const mailLease = 150;

/** To one receiver after the other: who has got it does not get it again when another one fails. */
const email = async (services: Services, run: RunRow, { outside, attempts }: Begun): Promise<Ended> => {
  const { config, publicUrl, stopping, db } = services;
  const { smtpUrl, smtpFrom } = config;
  if (smtpUrl === null) return { error: 'This server sends no e-mail: it has no SMTP_URL' };
  try {
    const reached = await selectReached(db, run);
    for (const address of (outside.to ?? []).filter((one) => !reached.has(one))) {
      if (!(await extendLease(db, run, { seconds: mailLease, attempts }))) return { error: 'The run was canceled' };
      await sendBySmtp(
        smtpUrl,
        {
          from: smtpFrom,
          to: { name: '', address },
          subject: outside.subject ?? '',
          text: outside.text ?? '',
          messageId: `<${idOf(run)}.${createHash('sha256').update(address).digest('hex').slice(0, 8)}@${new URL(publicUrl()).hostname}>`,
        },
        stopping,
        async () => undefined,
      );
      await noteReached(db, run, address);
    }
    return { output: { sent: outside.to } };
  } catch (error) {
    return { error: (error as Error).message, mayPass: !isRefusedForGood(error) };
  }
};

interface OfRun {
  services: Services;
  automation: AutomationRow;
  definition: Definition;
  run: RunRow;
}

interface Begun {
  outside: Outside;
  input: unknown;
  attempts: number;
}

const settle = async (
  tx: Tx,
  { definition, run }: OfRun,
  { input, attempts }: Begun,
  ended: Ended,
  began: number,
): Promise<void> => {
  const now = await lockRun(tx, run.id);
  // Canceled meanwhile, or somebody else has it because the lease ended.
  if (now === undefined || now.path !== run.path || now.attempts !== attempts || now.state !== 'running') return;
  const step = stepAt(definition.steps, run.path);
  if (step === undefined) return;
  const { output, error, mayPass = false, retryAfter = null } = ended;
  const pause = error !== undefined && mayPass ? pauseAfter(attempts, retryAfter) : null;
  if (error !== undefined && pause !== null) {
    await delayRun(tx, run.seq, { seconds: pause, attempts, error });
    return;
  }
  await writeStep(tx, run.seq, {
    path: run.path,
    stepId: step.id,
    type: step.type,
    name: step.name ?? null,
    state: error === undefined ? 'success' : 'failed',
    input,
    output,
    error: error ?? null,
    attempts,
    milliseconds: Math.round(performance.now() - began),
  });
  if (error === undefined) await moveRun(tx, run.seq, { path: pathAfter(definition.steps, run.path) });
  else await endRun(tx, run.seq, 'failed', error);
};

/** A database that is away for a moment costs no second request. */
const settleSoon = async ({ db, stopping }: Services, work: (tx: Tx) => Promise<void>): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (passesOf(error) !== 'yes' || tries === 8) throw error;
      await sleep(1_000, undefined, { signal: stopping });
    }
  }
};

const perform = async (of: OfRun, begun: Begun): Promise<void> => {
  const { services, automation, run } = of;
  const began = performance.now();
  const ended =
    begun.outside.kind === 'call'
      ? await call(services, automation, run, begun.outside)
      : await email(services, run, begun);
  // What the end of the server cut off is no attempt: the lease ends, and it is sent again.
  if (services.stopping.aborted && ended.error !== undefined) return;
  await settleSoon(services, (tx) => settle(tx, of, begun, ended, began));
};

/** In the place that was taken for it. */
export const beginOutside = (of: OfRun, begun: Begun, leave: () => void): void => {
  const { services, automation } = of;
  void perform(of, begun)
    .catch((error: unknown) => services.backgroundErrors.note('automations', error))
    .finally(() => {
      leave();
      services.work.add(runJob(automation));
    });
};
