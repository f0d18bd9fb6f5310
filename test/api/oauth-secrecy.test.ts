// After everything secret has been issued and used, none of it stands in the database or in the log.
import { expect, test } from 'vitest';
import { sql } from '../../server/db/sql.ts';
import { application, authorizeUrl, decide, redeem, refresh, revoke, tryToken, visit } from '../support/oauth.ts';
import { person } from '../support/people.ts';
import { useWorld, type World } from '../support/world.ts';

const world = useWorld({ logLevel: 'trace' });

const everyRow = async ({ db }: World): Promise<string> => {
  const tables = await db.query<{ schema: string; name: string }>(
    sql`select schemaname as schema, tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const rows = await Promise.all(
    tables.map(async ({ schema, name }) => (await db.query<{ row: string }>(sql`select t::text as row from ${sql.id(schema, name)} t`)).map(({ row }) => row)),
  );
  return rows.flat().join('\n');
};

test('no token, code, secret, session or password is kept or logged in plain text', async () => {
  const logged: string[] = [];
  const { write } = process.stderr;
  process.stderr.write = ((chunk: string) => logged.push(String(chunk)) > 0) as typeof write;
  const secrets: Record<string, string> = {};
  try {
    const ada = await person(world());
    const app = await application(ada);
    const cookie = await ada.cookie();
    const first = await visit(world(), authorizeUrl(world(), { response_type: 'code', client_id: app.clientId }), cookie);
    const transaction = first.location.searchParams.get('transaction_id') as string;
    const open = await visit(world(), authorizeUrl(world(), { response_type: 'code', client_id: app.clientId }), cookie);
    const code = (await decide(world(), cookie, transaction)).location.searchParams.get('code') as string;
    const { body } = await redeem(world(), app, code, { redirect_uri: '' });
    const renewed = (await refresh(world(), app, body.refresh_token)).body;
    await tryToken(world(), renewed.access_token);
    await redeem(world(), { ...app, secret: `${app.secret}x` }, code);
    await revoke(world(), { ...app, secret: '' }, renewed.refresh_token);
    Object.assign(secrets, {
      password: ada.password,
      'personal token': ada.token.split('_')[2],
      session: cookie.split('=')[1],
      'client secret': app.secret,
      transaction,
      'open transaction': open.location.searchParams.get('transaction_id'),
      code,
      'access token': body.access_token.split('_')[2],
      'refresh token': body.refresh_token.split('_')[2],
      'renewed access token': renewed.access_token.split('_')[2],
      'renewed refresh token': renewed.refresh_token.split('_')[2],
    });
  } finally {
    process.stderr.write = write;
  }
  const kept = await everyRow(world());
  const log = logged.join('');
  expect(kept.length).toBeGreaterThan(1_000);
  expect(log).toContain('/api/oauth/access_token');
  for (const [what, secret] of Object.entries(secrets)) {
    expect([what, secret.length >= 10]).toEqual([what, true]);
    const forms = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')];
    expect([what, forms.filter((form) => kept.includes(form))]).toEqual([what, []]);
    expect([what, forms.filter((form) => log.includes(form))]).toEqual([what, []]);
  }
});
