import type { Services } from '../../context.ts';
import type { JobKind, RunningJob } from '../../work/job.ts';
import { deliver, mailRetry } from '../mail/deliver.ts';
import { noticeKind, type NoticePayload } from './account-notice.ts';
import { codeMail, type MailText, noticeMail } from './code-mail.ts';
import { selectCodeToSend } from './email-code.sql.ts';
import { type SendCodePayload, sendCodeKind } from './email-code.ts';

const send = ({ config, publicUrl }: Services, job: RunningJob, to: string, mail: MailText): Promise<void> =>
  deliver(
    config,
    { ...mail, to: { name: '', address: to }, messageId: `<${job.id}@${new URL(publicUrl()).hostname}>` },
    job,
  );

const sendCode = async (services: Services, job: RunningJob<SendCodePayload>): Promise<void> => {
  const id = Buffer.from(job.payload.id, 'hex');
  const code = await selectCodeToSend(services.db, id);
  const mail = code === undefined ? undefined : codeMail(services, id, code);
  if (code !== undefined && mail !== undefined) await send(services, job, code.email, mail);
};

export const authJobs: JobKind<Services>[] = [
  {
    name: sendCodeKind,
    retry: mailRetry,
    atOnce: 2,
    run: (services, job) => sendCode(services, job as RunningJob<SendCodePayload>),
  },
  {
    name: noticeKind,
    retry: mailRetry,
    run: (services, job) => {
      const { to, ...told } = job.payload as NoticePayload;
      return send(services, job, to, noticeMail(told, services.publicUrl()));
    },
  },
];
