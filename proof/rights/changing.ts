// Rules that change while people read and write at two servers. No answer that was asked for after a change was answered is by the rules before it, and no record is missing in it that
// they grant: whatever the moment, each answer is by one set of rules that was in force while it was made.
import { listAuthorityRoles, updateAuthorityRole } from '@rowhouse/contract/authority-matrix.ts';
import { listRecords, updateRecord } from '@rowhouse/contract/record.ts';
import { everyAction, setRoles, when } from '../../test/support/matrix.ts';
import { caller } from '../../test/support/caller.ts';
import type { Person } from '../../test/support/people.ts';
import type { Workshop } from '../../test/support/tables.ts';
import type { Random } from '../random.ts';
import { readerAt } from './reader.ts';

interface Change {
  state: string;
  showsSecret: boolean;
  sent: number;
  answered: number;
}

interface Answer {
  begun: number;
  ended: number;
  states: string[];
  secrets: number;
  records: number;
  names: string[];
}

const states = ['s0', 's1', 's2', 's3'];

interface Changing {
  shop: Workshop;
  reader: Person;
  /** Up to and including `/api`. */
  servers: readonly string[];
  random: Random;
  count: number;
}

export const changeWhileRead = async ({ shop, reader, servers, random, count }: Changing) => {
  const { owner, baseId } = shop;
  const table = await shop.table({
    name: 'Moving',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'State', type: 'singleLineText' },
      { name: 'Secret', type: 'singleLineText' },
    ] as never,
    // One of each state stays where it is; the others move about.
    records: Array.from({ length: 24 }, (_, at) => ({
      fields: { Name: at < 4 ? `fixed s${at}` : `moving ${at}`, State: states[at % 4], Secret: 'kept' },
    })) as never,
  });
  const [name, state, secret] = table.fields.map(({ id }) => id) as [string, string, string];
  const granted = (shown: string, showsSecret: boolean) => ({
    grants: [
      {
        actions: everyAction,
        fields: showsSecret ? [name, state, secret] : [name, state],
        when: when(state, 'is', shown),
      },
    ],
  });
  await setRoles(owner, baseId, [{ members: [reader.userId], tables: { [table.id]: granted('s0', true) } }]);
  const [role] = (await owner.call(listAuthorityRoles, { params: { baseId } })).body;
  const roleId = role?.id as string;
  const changes: Change[] = [{ state: 's0', showsSecret: true, sent: 0, answered: 0 }];
  const answers: Answer[] = [];
  const failures: string[] = [];
  let isOver = false;

  const read = async (baseUrl: string): Promise<void> => {
    const by = readerAt(baseUrl, reader.token);
    while (!isOver) {
      const begun = performance.now();
      const { status, text } = await by.get(listRecords, {
        params: { tableId: table.id },
        query: { take: 1_000, fieldKeyType: 'id' },
      });
      const ended = performance.now();
      if (status !== 200) {
        failures.push(`a list was answered ${status}: ${text.slice(0, 200)}`);
        continue;
      }
      const { records } = JSON.parse(text) as { records: { fields: Record<string, string> }[] };
      answers.push({
        begun,
        ended,
        states: [...new Set(records.map(({ fields }) => fields[state] ?? ''))],
        secrets: records.filter(({ fields }) => fields[secret] !== undefined).length,
        records: records.length,
        names: records.map(({ fields }) => fields[name] ?? ''),
      });
    }
  };
  const moving = table.records.slice(4).map(({ id }) => id);
  const write = async (baseUrl: string, by: Person, draws: Random): Promise<void> => {
    const call = caller({ baseUrl, token: by.token });
    while (!isOver) {
      const recordId = draws.pick(moving);
      const { status, error } = await call(updateRecord, {
        params: { tableId: table.id, recordId },
        body: { fieldKeyType: 'id', record: { fields: { [state]: draws.pick(states) } } } as never,
      });
      const refused = by === owner ? [] : [403, 404];
      if (status !== 200 && !refused.includes(status))
        failures.push(`a write was answered ${status}: ${JSON.stringify(error)}`);
    }
  };
  const change = async (): Promise<void> => {
    for (let at = 1; at <= count; at += 1) {
      const next = { state: random.pick(states), showsSecret: random.once(2) };
      const call = caller({ baseUrl: servers[at % servers.length] as string, token: owner.token });
      const sent = performance.now();
      const { status, error } = await call(updateAuthorityRole, {
        params: { baseId, authorityMatrixRoleId: roleId },
        body: {
          name: 'Role 0',
          tables: [{ tableId: table.id, enabled: true, ...granted(next.state, next.showsSecret) }] as never,
        },
      });
      if (status !== 200) failures.push(`a change of the rules was answered ${status}: ${JSON.stringify(error)}`);
      else changes.push({ ...next, sent, answered: performance.now() });
      await new Promise((done) => setTimeout(done, random.below(30)));
    }
  };
  const others = [
    ...servers.map(read),
    ...servers.map((baseUrl, at) => write(baseUrl, owner, random.fork(at))),
    write(servers[0] as string, reader, random.fork(9)),
  ];
  await change();
  isOver = true;
  await Promise.all(others);

  for (const { begun, ended, states: shown, secrets, records, names } of answers) {
    // A set of rules may have been in force from when it was sent to when the next one was answered.
    const possible = changes.filter(
      ({ sent }, at) => sent <= ended && (changes[at + 1]?.answered ?? Number.POSITIVE_INFINITY) >= begun,
    );
    const fits = possible.some(
      (one) =>
        shown.every((each) => each === one.state) &&
        names.includes(`fixed ${one.state}`) &&
        secrets === (one.showsSecret ? records : 0),
    );
    if (!fits)
      failures.push(
        `a list showed ${shown.join()} with ${secrets} secrets of ${records}, and ${possible.map((one) => `${one.state} ${one.showsSecret}`).join(' or ')} was in force`,
      );
  }
  return { changes: changes.length - 1, answers: answers.length, failures: failures.slice(0, 50) };
};
