// Hands the e-mail of a job to the mail server. One that may have been sent is not sent again.
import type { Config } from '../../config.ts';
import { GiveUp, type RunningJob } from '../../work/job.ts';
import { isRefusedForGood, type OutgoingEmail, sendBySmtp, UnknownDelivery } from './smtp.ts';

const handedOver = 'handed over';

export const deliver = async (config: Config, email: Omit<OutgoingEmail, 'from'>, job: RunningJob): Promise<void> => {
  if (config.smtpUrl === null) return;
  if (job.cursor === handedOver)
    throw new GiveUp('The server was interrupted while it handed the e-mail over: it is not sent again');
  try {
    await sendBySmtp(config.smtpUrl, { ...email, from: config.smtpFrom }, job.signal, () => job.mark(handedOver));
  } catch (error) {
    if (error instanceof UnknownDelivery || isRefusedForGood(error))
      throw new GiveUp((error as Error).message, { cause: error });
    if (job.cursor === handedOver) await job.mark(null);
    throw error;
  }
};

/** How often an e-mail is tried. */
export const mailRetry = { attempts: 10, first: 30, longest: 3_600 };
