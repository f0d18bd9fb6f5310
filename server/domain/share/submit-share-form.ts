// POST /share/:shareId/view/form-submit: an answer to a public form.
import { shapeOf } from '@rowhouse/contract/view-types.ts';
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '@rowhouse/contract/endpoint.ts';
import { forbidden, type Issue, invalid, unauthorized } from '@rowhouse/contract/error.ts';
import type { ShareMeta } from '@rowhouse/contract/share-meta.ts';
import type { submitShareForm as endpoint } from '@rowhouse/contract/share.ts';
import { isId } from '@rowhouse/contract/id.ts';
import type { Principal } from '../../catalog/principal.ts';
import { type Sight, sightOf } from '../../catalog/sight.ts';
import type { PublicContext } from '../../context.ts';
import { cookieValue } from '../../endpoint/credential.ts';
import type { Tx } from '../../db/db.ts';
import type { Answer } from '../../endpoint/route.ts';
import { guardedTransaction, type TableContext } from '../../pipeline/pipeline.ts';
import { presentTable } from '../../pipeline/present-table.ts';
import { Stale } from '../../pipeline/stale.ts';
import { fieldTypeOf } from '../cell/types.ts';
import { submitForm } from '../record/write/submit-form.ts';
import { networkOf } from '../user/limit-attempts.ts';
import { limitUses } from '../user/limit-uses.ts';
import { confirmAnswer } from './confirm-answer.ts';
import { candidatesOf, linkOf } from './list-share-links.ts';
import { type OpenShare, openShare, shareAnswer } from './open-share.ts';
import { selectAmong } from './share-links.sql.ts';
import { signedIn } from './signed-in.ts';
import { notePerson, type ShareRow, takeAnswer } from './share.sql.ts';

type Body = BodyOf<typeof endpoint>;
type Submit = NonNullable<ShareMeta['submit']>;

const answersPerAddress = { limit: 20, minutes: 10 };

export const demandOpen = ({ view, meta, context }: Pick<OpenShare, 'view' | 'meta' | 'context'>): Submit => {
  const { submit } = meta;
  if (shapeOf(view.type).share !== 'answers' || submit?.allow !== true) throw forbidden('This share takes no answers');
  if (typeof submit.closesTime === 'string' && Date.parse(submit.closesTime) <= context.now().getTime())
    throw forbidden('This form is closed: it takes no more answers');
  return submit;
};

const idOf = (value: unknown): string | undefined => {
  const { id } = (typeof value === 'object' && value !== null ? value : {}) as { id?: unknown };
  return typeof id === 'string' ? id : undefined;
};

/** By id: a conversion would also find them by address, and tell whose it is. */
const demandNamedById = ({ byId }: Sight, fields: Body['fields']): void => {
  const issues = Object.entries(fields).flatMap(([fieldId, value]): Issue[] => {
    const field = byId.get(fieldId);
    if (value === null || field === undefined || fieldTypeOf(field).namesPeople !== true) return [];
    return [value].flat().every((one) => isId('usr', idOf(one) ?? ''))
      ? []
      : [
          {
            path: `fields.${fieldId}`,
            message: `"${field.name}" takes people by their ids`,
            expected: 'people such as {"id": "usr…"} that collaborators lists',
          },
        ];
  });
  if (issues.length > 0) throw invalid(issues);
};

/** By id, and only those that the form offers: naming others, or searching by title, would tell what the other table holds. */
const demandOffered = async (
  context: TableContext,
  viewId: string,
  sight: Sight,
  fields: Body['fields'],
): Promise<void> => {
  const issues: Issue[] = [];
  for (const [fieldId, value] of Object.entries(fields)) {
    const linked = value === null ? undefined : linkOf(sight, fieldId);
    if (linked === undefined) continue;
    const ids = [value].flat().map(idOf);
    const known =
      ids.every((id) => id !== undefined) && ids.length <= 1_000
        ? await selectAmong(context.db, linked, await candidatesOf(context, viewId, sight, linked), ids as string[])
        : new Set();
    if (ids.some((id) => !known.has(id)))
      issues.push({
        path: `fields.${fieldId}`,
        message: `"${linked.field.name}" takes only records that the form offers`,
        expected: 'records such as {"id": "rec…"} that link-records lists',
      });
  }
  if (issues.length > 0) throw invalid(issues);
};

interface Person {
  /** Who answers, for forms that take one answer of each. */
  mark: Buffer | null;
  /** For a browser that was not known yet. */
  cookie: string | null;
}

const personOf = (
  { secretKey, config }: PublicContext,
  { shareId }: ShareRow,
  submit: Submit,
  user: Principal | null,
  headers: IncomingHttpHeaders,
): Person => {
  if (submit.onePerPerson !== true) return { mark: null, cookie: null };
  const markOf = (who: string): Buffer => Buffer.from(secretKey.derive('answer', shareId, who).slice(0, 32), 'hex');
  if (user !== null) return { mark: markOf(user.userId), cookie: null };
  const name = `${shareId}_answered`;
  const known = cookieValue(headers.cookie, name);
  if (known !== undefined && /^[0-9a-f]{32}$/.test(known)) return { mark: markOf(known), cookie: null };
  const fresh = randomBytes(16).toString('hex');
  const secure = config.publicUrl?.startsWith('https:') === true ? '; Secure' : '';
  return {
    mark: markOf(fresh),
    cookie: `${name}=${fresh}; Path=/api/share/${shareId}; HttpOnly; SameSite=Lax; Max-Age=31536000${secure}`,
  };
};

/** Takes the answer by the settings as they are: they may have changed while it waited. Then all of it is decided about again. */
const demandTaken = async (db: Tx, { present, view, context }: OpenShare): Promise<Submit> => {
  const { viewId, shareId, meta, passwordHash } = present();
  const terms = await takeAnswer(db, { viewId, shareId });
  if (terms === 'gone') throw new Stale('access');
  if (terms === 'full') throw forbidden(refusals.full);
  if (!isDeepStrictEqual(terms, { meta, passwordHash })) throw new Stale('access');
  return demandOpen({ view, meta: meta ?? {}, context });
};

const refusals = {
  full: 'This form has all the answers that it takes',
  again: 'You have answered this form already: it takes one answer of each person',
} as const;

export const submitShareForm = async (
  services: PublicContext,
  shareId: string,
  headers: IncomingHttpHeaders,
  ip: string,
  { fields, typecast = false, website }: Body,
): Promise<Answer> => {
  const found = await openShare(services, shareId, headers);
  const submit = demandOpen(found);
  const user = submit.requireLogin === true ? (await signedIn(services, headers, null)).principal : null;
  const open = user === null ? found : await openShare(services, shareId, headers, user);
  await limitUses(services.db, {
    key: ['form', shareId, networkOf(ip)],
    ...answersPerAddress,
    message: 'Too many answers from your address',
  });
  // Said to have worked, so that the program learns nothing.
  if (website !== undefined && website !== '')
    return shareAnswer(open, JSON.stringify({ id: services.newId('rec'), fields: {} }));
  const { share, context } = open;
  let person: Person = { mark: null, cookie: null };
  const { text } = await guardedTransaction({ unconfirmed: context }, async (present) => {
    const wanted = demandOpen({ ...open, meta: open.present().meta ?? {} });
    if (wanted.requireLogin === true && user === null) throw unauthorized();
    const table = await presentTable(present, share.baseId, share.tableId);
    const sight = sightOf(present, table);
    demandNamedById(sight, fields);
    await demandOffered(present, share.viewId, sight, fields);
    person = personOf(services, share, await demandTaken(present.db, open), user, headers);
    if (person.mark !== null && !(await notePerson(present.db, share.viewId, person.mark)))
      throw forbidden(refusals.again);
    const written = await submitForm({ unconfirmed: present }, { viewId: share.viewId, fields, typecast });
    await confirmAnswer(present, open, fields);
    return written;
  });
  context.live.changed(share.baseId);
  return shareAnswer(open, text, {
    status: 201,
    headers: person.cookie === null ? {} : { 'set-cookie': person.cookie },
  });
};
