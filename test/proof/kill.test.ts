import { test } from 'vitest';
import { kill } from '../../proof/kill/kill.ts';
import { holds } from '../support/proof.ts';

test('kill -9 of the server and of PostgreSQL under load loses nothing that was acknowledged', async () => {
  await holds(kill);
});
