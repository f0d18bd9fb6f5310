import { test } from 'vitest';
import { dependencies } from '../../proof/dependencies/dependencies.ts';
import { holds } from '../support/proof.ts';

test('everything that Rowhouse runs with is permissively licensed and not given up', () => holds(dependencies));
