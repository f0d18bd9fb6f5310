// Isolation: two tenants, each full of its own mark. One calls every endpoint and stream with the ids of the other, each
// in turn: nothing of the other comes back, and "not yours" reads like "does not exist".
import { isStream, pathParams } from '@rowhouse/contract/endpoint.ts';
import { oauthScopes } from '@rowhouse/contract/oauth.ts';
import { routes } from '../../server/app.ts';
import { inBatches, send } from '../../test/support/access-request.ts';
import { application, tokensFor } from '../../test/support/oauth.ts';
import { fingerprint } from '../../test/support/fingerprint.sql.ts';
import type { World } from '../../test/support/world.ts';
import { type Estate, openEstate } from '../estate.ts';
import { openGround } from '../ground.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { randomFrom } from '../random.ts';
import { requestsFor } from '../requests.ts';
import { essence, everythingOf, leakIn } from './leaks.ts';
import { tryHolds } from './holds.ts';
import { tryReader } from './readers.ts';
import { tryShares } from './shares.ts';
import { tryStreams } from './streams.ts';
import { cursorTrials, type Trial, trialsFor } from './trials.ts';

const endpoints = routes.map(({ endpoint }) => endpoint);

/** What would end the credential that the walk goes on with names no ids; which applications there are is no secret of theirs. */
const leftOut = new Set(['signOut', 'changePassword', 'authorizeOauthClient']);

const credentialsOf = async (world: World, { owner }: Estate): Promise<Record<string, Record<string, string>>> => {
  const app = await application(owner, { scopes: [...oauthScopes] });
  const issued = (await tokensFor(world, owner, app)) as { access_token: string };
  return {
    token: { authorization: `Bearer ${owner.token}` },
    session: { cookie: await owner.cookie() },
    application: { authorization: `Bearer ${issued.access_token}` },
  };
};

/** What reading itself changes (an export is in the audit log, a token for ten minutes is a new one), and what changes by itself: a question of consent ends, a delivery is tried again. */
const changing = new Set(['exportBase', 'getTempToken', 'getOauthDecision', 'getWebhookDelivery']);

/** How often a template was used is known to all; disks are measured and deliveries tried again as time passes. */
const passingFacts = /,?"(lastUsedTime|requestId|usageCount|diskSize|attempts|dueTime)":("[^"]*"|null|\d+)/g;

/** Everything that a tenant can read of itself, without what changes by itself. */
const dump = async (world: World, { owner, things }: Estate, walked: typeof endpoints): Promise<string[]> => {
  const texts: string[] = [];
  for (const endpoint of walked.filter(
    ({ name, method, produces, response, access }) =>
      method === 'GET' &&
      !changing.has(name) &&
      produces === undefined &&
      !isStream(response) &&
      access.on !== 'public',
  )) {
    const [request] = requestsFor(endpoint, things);
    const { status, text } = await send(world, endpoint, request ?? {}, { authorization: `Bearer ${owner.token}` });
    texts.push(`${endpoint.name} ${status} ${text.replaceAll(passingFacts, '')}`);
  }
  return texts;
};

const basesOf = async (world: World, { things }: Estate): Promise<string> => {
  const all = await fingerprint(world.db);
  return JSON.stringify(
    Object.entries(all).filter(([table]) => table.startsWith(things.baseId) || table.startsWith(things.siblingBaseId)),
  );
};

/** A walk that crosses midnight finds one more day in the usage of a tenant. */
const withoutDaysAfter = (day: string, text: string): string =>
  text.replaceAll(/,?\{"day":"([0-9-]{10})"[^}]*\}/g, (entry, one: string) => (one > day ? '' : entry));

/** Both from a little before the first character in which they differ. */
const differenceOf = (before: string, after: string): string => {
  const at = [...before].findIndex((character, index) => character !== after[index]);
  const from = Math.max(0, at - 100);
  return `${before.slice(0, 40)} … ${before.slice(from, from + 250)} | ${after.slice(from, from + 250)}`;
};

const run = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const ground = await openGround();
  try {
    const failures: string[] = [];
    const mine = await openEstate(ground, 'Magpie');
    const theirs = await openEstate(ground, 'Nightingale');
    const credentials = await credentialsOf(ground, mine);
    // In short some of the endpoints, others each time: the access matrix walks them all.
    const walked = scale === 'full' ? endpoints : randomFrom(seed).shuffled(endpoints).slice(0, 40);
    const before = [...(await dump(ground, theirs, walked)), await basesOf(ground, theirs)];
    const streams = await tryStreams(ground, theirs, mine);
    const begunOn = new Date().toISOString().slice(0, 10);
    const asBefore = [...(await dump(ground, theirs, walked)), await basesOf(ground, theirs)];
    failures.push(...streams.failures);

    const kinds = scale === 'full' ? Object.keys(credentials) : ['token'];
    let own = 0;
    const look = async (kind: string, endpoint: (typeof endpoints)[number]): Promise<void> => {
      const isReading = endpoint.method === 'GET' && !pathParams(endpoint.path).includes('clientId');
      const requests = [
        ...(isReading ? requestsFor(endpoint, mine.things) : []),
        ...cursorTrials(endpoint, mine, theirs),
      ];
      for (const request of requests) {
        const answer = await send(ground, endpoint, request, credentials[kind] as Record<string, string>);
        own += 1;
        const leak = leakIn(everythingOf(answer), JSON.stringify(request), theirs);
        if (leak !== undefined)
          failures.push(
            `${endpoint.name} as ${kind} about oneself leaks ${leak} of another: ${answer.text.slice(0, 300)}`,
          );
      }
    };
    for (const kind of kinds) await inBatches(walked, (endpoint) => look(kind, endpoint));

    const all = endpoints
      .filter(({ name }) => !leftOut.has(name))
      .flatMap((endpoint) => trialsFor(endpoint, mine, theirs));
    // The access matrix swaps all ids of every endpoint at once; what is new here is each id alone, of which the short version takes some.
    const trials = scale === 'full' ? all : randomFrom(seed).shuffled(all).slice(0, 40);
    say(`${endpoints.length} endpoints, ${trials.length} requests with ids of another tenant, as ${kinds.join(', ')}`);
    let [calls, granted, done] = [0, 0, 0];
    const attempt = async (kind: string, { endpoint, swapped, foreign, absent }: Trial): Promise<void> => {
      const headers = credentials[kind] as Record<string, string>;
      let [real, none] = [
        await send(ground, endpoint, foreign, headers),
        await send(ground, endpoint, absent, headers),
      ];
      calls += 2;
      // Others of these requests change the own tables meanwhile. What tells of the other tenant would do so every time.
      for (let again = 0; again < 3 && essence(real) !== essence(none); again += 1) {
        [real, none] = [await send(ground, endpoint, foreign, headers), await send(ground, endpoint, absent, headers)];
        calls += 2;
      }
      if (real.status < 300) granted += 1;
      const what = `${endpoint.name} as ${kind} with another's ${swapped}`;
      // What was let through may show an id that an earlier one of these requests has left, in a filter for instance.
      const asked = real.status < 300 ? JSON.stringify(theirs.things) : JSON.stringify(foreign);
      const leak = leakIn(everythingOf(real), asked, theirs);
      if (leak !== undefined) failures.push(`${what} leaks ${leak}: ${real.status} ${real.text.slice(0, 300)}`);
      if (real.status >= 500) failures.push(`${what} answers ${real.status} ${real.text}`);
      if (essence(real) !== essence(none))
        failures.push(`${what} differs from none: ${essence(real).slice(0, 600)} | ${essence(none).slice(0, 600)}`);
    };
    for (const kind of kinds) {
      await inBatches(trials, async (trial) => {
        await attempt(kind, trial);
        done += 1;
        if (done % 1_000 === 0) say(`${done} pairs, ${failures.length} wrong`);
      });
    }

    const shares = await tryShares(ground, mine, scale === 'full' ? Infinity : 20, (items) =>
      randomFrom(seed).shuffled(items),
    );
    failures.push(...shares.failures);
    const reader = await tryReader(ground, mine);
    failures.push(...reader.failures);
    const after = [...(await dump(ground, theirs, walked)), await basesOf(ground, theirs)];
    after.forEach((found, at) => {
      const text = withoutDaysAfter(begunOn, found);
      if (text !== asBefore[at])
        failures.push(`the other tenant sees something else than before: ${differenceOf(asBefore[at] ?? '', text)}`);
    });
    const holding = { owner: mine.owner, baseUrl: ground.baseUrl, spaceId: mine.things.spaceId };
    // Within `npm test` the tests of held shares walk one change of each kind.
    const holds =
      scale === 'full'
        ? await tryHolds(holding, randomFrom(seed), { singles: Infinity, pairs: 100 })
        : { made: 0, looked: 0, failures: [] };
    failures.push(...holds.failures);
    say(`${holds.made} changes around shares, ${holds.failures.length} wrong`);
    return {
      figures: {
        Endpoints: walked.length,
        'Requests with ids of another tenant, each beside one with ids of nothing': calls,
        'of which were let through alike, because the id is only one to look for': granted,
        'Requests about oneself, also with places in lists of the other': own,
        'Events heard while the other tenant wrote': streams.heard,
        'Requests to shares for what they do not hold': shares.asked,
        'of which were answered, without it': shares.answered,
        'Changes of schemas, views, choices, links and trash around shares, forms and limited links': holds.made,
        'Looks of a visitor after them, none of which saw more than somebody decided': holds.looked,
        'Tables that the SQL reader of a base tried to read': reader.tried,
        'Answers the other tenant compared with those before': before.length,
        'Leaks and differences': failures.length,
      },
      failures: failures.slice(0, 100),
    };
  } finally {
    await ground.close();
  }
};

export const isolation: Part = { name: 'isolation', title: 'Isolation', run };
