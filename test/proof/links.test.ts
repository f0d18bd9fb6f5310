import { test } from 'vitest';
import { links } from '../../proof/links/links.ts';
import { holds } from '../support/proof.ts';

test('sixteen who write to linked tables while fields change and servers are killed leave no cell wrong', async () => {
  await holds(links);
});
