import { expect, test } from 'vitest';
import { firstWords } from './welcome.ts';

const made = {
  url: 'http://127.0.0.1:3000',
  email: 'admin@rowhouse.local',
  password: 'random1',
  token: 'teable_acc_secret',
  userId: 'usr1',
  spaceId: 'spc1',
  baseId: 'bse1',
  tableId: 'tbl1',
};

test('the first start shows its secrets on a terminal, and elsewhere says where they are', () => {
  const [shown, kept] = [firstWords('/srv/data', made, true), firstWords('/srv/data', made, false)];
  for (const secret of [made.password, made.token]) {
    expect(shown).toContain(secret);
    expect(kept).not.toContain(secret);
  }
  for (const text of [shown, kept]) expect(text).toContain('/srv/data/credentials.json');
});
