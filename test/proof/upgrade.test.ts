import { test } from 'vitest';
import { upgrade } from '../../proof/upgrade/upgrade.ts';
import { holds } from '../support/proof.ts';

test('data of the version before opens in this one', () => holds(upgrade));
