import { test } from 'vitest';
import { automation } from '../../proof/automation/automation.ts';
import { holds } from '../support/proof.ts';

test('each step of an automation is done once, under kill -9', async () => {
  await holds(automation);
});
