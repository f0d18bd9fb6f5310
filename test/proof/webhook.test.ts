import { test } from 'vitest';
import { webhook } from '../../proof/webhook/webhook.ts';
import { holds } from '../support/proof.ts';

test('every event of a webhook arrives in the order of its record, at a receiver that fails and under kill -9', async () => {
  await holds(webhook);
});
