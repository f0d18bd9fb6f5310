import { test } from 'vitest';
import { backup } from '../../proof/backup/backup.ts';
import { holds } from '../support/proof.ts';

test('what is backed up comes back, and a backup under load is one state', () => holds(backup));
