import { test } from 'vitest';
import { injection } from '../../proof/injection/injection.ts';
import { holds } from '../support/proof.ts';

test('text that means something elsewhere is text, and comes back as it was', async () => {
  await holds(injection);
});
