import { test } from 'vitest';
import { overload } from '../../proof/overload/overload.ts';
import { holds } from '../support/proof.ts';

test('four times too many clients, and slow ones: the excess is refused, and the rest is right', async () => {
  await holds(overload);
});
