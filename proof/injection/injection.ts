// Injection: text that means something to SQL, HTML, spreadsheets, headers, paths, objects or people, in every name, key,
// value, filter, sort, search and cursor. Nothing is executed, and everything comes back as it was.
import { many } from '../../server/db/db.ts';
import { sql } from '../../server/db/sql.ts';
import { fingerprint } from '../../test/support/fingerprint.sql.ts';
import { openRoundTrips } from '../../test/support/round-trips.ts';
import { openMailServer } from '../../test/support/mail-server.ts';
import { person } from '../../test/support/people.ts';
import type { World } from '../../test/support/world.ts';
import { openEstate } from '../estate.ts';
import { openSoil, readDocument } from '../fuzz/operations.ts';
import { openGround } from '../ground.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { randomFrom } from '../random.ts';
import { openWire } from '../wire.ts';
import { faultOfShot, fire, payloads, type Spot, spotsOf, trace } from './everywhere.ts';
import { tryEmails } from './emails.ts';

/** What stands in the database whatever is asked for: the tables of Rowhouse itself, and no others beside the bases. */
const furniture = async ({ db }: World): Promise<string> => {
  const rows = await many<{ name: string }>(
    db,
    sql`select schemaname || '.' || tablename as name from pg_tables where schemaname not like 'bse%' and schemaname not in ('pg_catalog', 'information_schema')
        union all select 'function ' || proname from pg_proc where pronamespace in (select oid from pg_namespace where nspname in ('public', 'rowhouse'))
        union all select 'role ' || rolname from pg_roles where rolname not like 'rowhouse_%' and rolname not like 'reader_%' and rolname not like 'pg_%' and rolname not like '%bse%' order by 1`,
  );
  return rows.map(({ name }) => name).join('\n');
};

const inParallel = async <T>(
  items: readonly T[],
  workers: number,
  work: (item: T, worker: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (next < items.length) {
        const item = items[next] as T;
        next += 1;
        await work(item, worker);
      }
    }),
  );
};

const run = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const random = randomFrom(seed);
  const mail = await openMailServer();
  const ground = await openGround({ SMTP_URL: mail.url });
  try {
    const failures: string[] = [];
    const bystander = await openEstate(ground, 'Bystander');
    const ofBystander = async (): Promise<string> =>
      JSON.stringify(
        Object.entries(await fingerprint(ground.db)).filter(([table]) => table.startsWith(bystander.things.baseId)),
      );
    const [room, before] = [await furniture(ground), await ofBystander()];

    const texts = scale === 'full' ? payloads : random.shuffled(payloads).slice(0, 2);
    const emails = await tryEmails(ground, mail, scale === 'full' ? payloads : texts);
    failures.push(...emails.failures);
    let trips = 0;
    const roundTrips = await Promise.all(
      Array.from({ length: 3 }, async () => openRoundTrips(ground, await person(ground))),
    );
    await inParallel(texts, roundTrips.length, async (text, worker) => {
      const outcome = await (roundTrips[worker] as (typeof roundTrips)[number]).tryText(text);
      trips += outcome.trips;
      failures.push(...outcome.failures);
    });
    say(`${texts.length} texts, ${trips} round trips, ${failures.length} wrong`);

    const { operations } = await readDocument(ground.origin);
    const soil = await openSoil(ground);
    const spots: Spot[] = [];
    // In short some of the endpoints, others each time.
    const walked = scale === 'full' ? operations : random.shuffled(operations).slice(0, 40);
    for (const { endpoint } of walked) spots.push(...(await spotsOf(soil, endpoint)));
    const each = scale === 'full' ? 6 : 1;
    const shots = random
      .shuffled(
        spots.flatMap((spot) =>
          random
            .shuffled(payloads)
            .slice(0, each)
            .map((payload) => ({ spot, payload })),
        ),
      )
      .slice(0, scale === 'full' ? undefined : 40);
    say(`${spots.length} places in requests, ${shots.length} requests`);
    const wires = Array.from({ length: 8 }, () => openWire(ground.origin, 20_000));
    let done = 0;
    let accepted = 0;
    await inParallel(shots, wires.length, async ({ spot, payload }, worker) => {
      const shot = await fire(wires[worker] as (typeof wires)[number], soil, spot, payload);
      const fault = faultOfShot(shot);
      if (fault !== undefined) failures.push(`${shot.label}: ${fault}`);
      if (shot.reply.status < 300) accepted += 1;
      done += 1;
      if (done % 500 === 0) await soil.tend(done % 3_000 === 0);
      if (done % 3_000 === 0) say(`${done} requests, ${failures.length} wrong`);
    });
    for (const wire of wires) wire.close();

    if ((await furniture(ground)) !== room) failures.push('tables, functions or roles have come or gone');
    const traces = await many<{ name: string }>(
      ground.db,
      sql`select nspname || '.' || relname as name from pg_class join pg_namespace n on n.oid = relnamespace where relname = ${trace}`,
    );
    failures.push(...traces.map(({ name }) => `${name} was created`));
    if ((await ofBystander()) !== before) failures.push('the base of a bystander has changed');
    if (ground.output() !== '') failures.push(`the server complained: ${ground.output().slice(0, 2_000)}`);
    return {
      figures: {
        Texts: texts.length,
        'Round trips through names, descriptions, keys, values, filters, sorts, groups, searches, history, events, trash':
          trips,
        'E-mails whose headers were checked': emails.emails,
        'Places in requests: texts and keys': spots.length,
        'Requests with one of the texts in such a place': done,
        'of which were accepted': accepted,
        'Executed, altered or failed': failures.length,
      },
      failures: failures.slice(0, 100),
    };
  } finally {
    await ground.close();
    await mail.close();
  }
};

export const injection: Part = { name: 'injection', title: 'Injection', run };
