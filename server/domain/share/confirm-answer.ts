// The e-mail to somebody who has submitted a form, if the form says so. It holds nothing of what they wrote, and of what the
// makers of the form chose only a name: nobody can send messages of their own by it.
import type { Services } from '../../context.ts';
import type { TableContext } from '../../pipeline/pipeline.ts';
import { addJob } from '../../work/job.sql.ts';
import type { RunningJob } from '../../work/job.ts';
import { deliver } from '../mail/deliver.ts';
import { plainName } from '../mail/plain-name.ts';
import { countUse } from '../user/attempt.sql.ts';
import { keyOf } from '../user/limit-attempts.ts';
import type { OpenShare } from './open-share.ts';

export const confirmKind = 'confirm-answer';

interface ConfirmPayload {
  to: string;
  form: string;
}

const address = /^[^\s@<>"',;:\\()[\]]{1,64}@[^\s@<>"',;:\\()[\]]+\.[^\s@<>"',;:\\()[\]]+$/;

/** One address gets so many of one form, and one form sends so many. */
const limits = { address: { most: 3, minutes: 60 }, form: { most: 500, minutes: 60 } };

/** In the transaction of the answer. */
export const confirmAnswer = async (
  { db, config }: TableContext,
  { meta, view, share }: OpenShare,
  fields: Record<string, unknown>,
): Promise<void> => {
  const fieldId = meta.submit?.confirmFieldId;
  const to = typeof fieldId === 'string' ? fields[fieldId] : undefined;
  if (config.smtpUrl === null || typeof to !== 'string' || to.length > 254 || !address.test(to)) return;
  const mine = await countUse(db, keyOf('confirmation', share.shareId, to.toLowerCase()), limits.address.minutes);
  const all = await countUse(db, keyOf('confirmations', share.shareId), limits.form.minutes);
  if (mine.count > limits.address.most || all.count > limits.form.most) return;
  const title = typeof view.options.title === 'string' && view.options.title !== '' ? view.options.title : view.name;
  await addJob(db, { kind: confirmKind, payload: { to, form: title } satisfies ConfirmPayload });
};

export const sendConfirmation = async ({ config, publicUrl }: Services, job: RunningJob): Promise<void> => {
  const { to, form } = job.payload as ConfirmPayload;
  const name = plainName(form);
  const text = `Your answer ${name === '' ? '' : `to the form "${name}" `}at ${publicUrl()} has arrived. Thank you.\n\nIf you have not filled in a form, ignore this e-mail: somebody entered your address by mistake.\n`;
  await deliver(
    config,
    {
      to: { name: '', address: to },
      subject: 'Your answer has arrived',
      text,
      messageId: `<${job.id}@${new URL(publicUrl()).hostname}>`,
    },
    job,
  );
};
