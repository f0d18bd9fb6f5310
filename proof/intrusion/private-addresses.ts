// The server is sent to an address of its own network: by another spelling of it, or by a name.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRecords } from '@rowhouse/contract/record.ts';
import { ground as newGround, tableWith } from '../../test/support/table.ts';
import type { Ground } from '../ground.ts';
import { type Attack, unless } from './attack.ts';

/** Of this machine. */
export const hosts = [
  '127.0.0.1',
  'localhost',
  'localhost.',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '0.0.0.0',
  '0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '127.0.0.1%2f',
  'user@127.0.0.1',
];

/** Adds a file from each address to a cell; answers the statuses. */
export const fetchInto = async (ground: Ground, urls: readonly string[]): Promise<number[]> => {
  const table = await tableWith(await newGround(ground), [
    { name: 'Name', type: 'singleLineText' },
    { name: 'Files', type: 'attachment' },
  ]);
  const { body } = await table.call(createRecords, { params: table, body: { records: [{ fields: {} }] } });
  const params = {
    tableId: table.tableId,
    recordId: body.records[0]?.id as string,
    fieldId: table.fieldIds['Files'] as string,
  };
  const statuses: number[] = [];
  for (const fileUrl of urls) {
    const form = new FormData();
    form.set('fileUrl', fileUrl);
    const answer = await fetch(
      `${ground.baseUrl}/table/${params.tableId}/record/${params.recordId}/${params.fieldId}/uploadAttachment`,
      { method: 'POST', body: form, headers: { authorization: `Bearer ${table.owner.token}` } },
    );
    await answer.text();
    statuses.push(answer.status);
  }
  return statuses;
};

export const attacks: Attack[] = [
  {
    name: 'a file is added from an address of this machine, however it is written',
    async run(scene) {
      let asked = 0;
      const inner = createServer((_request, answer) => {
        asked += 1;
        answer.writeHead(200, { 'content-type': 'text/plain' }).end('inner');
      });
      await new Promise<void>((done) => inner.listen(0, '127.0.0.1', done));
      const { port } = inner.address() as AddressInfo;
      try {
        // The control: an instance that may, does.
        const open = await scene.open({ ROWHOUSE_FETCH_PRIVATE: 'yes' });
        const [control] = await fetchInto(open, [`http://127.0.0.1:${port}/a.txt`]);
        const before = asked;
        const statuses = await fetchInto(
          scene.ground,
          hosts.map((host) => `http://${host}:${port}/a.txt`),
        );
        return [
          ...unless(control === 201 && before === 1, `the control answered ${control}`),
          ...statuses.flatMap((status, at) => unless(status === 400, `${hosts[at]} answered ${status}`)),
          ...unless(asked === before, `the inner server was asked ${asked - before} times`),
        ];
      } finally {
        inner.close();
      }
    },
  },
];
