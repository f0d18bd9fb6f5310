// Conversions: a field of every kind of cells, with everything that can refer to a field, becomes one of every other kind, and back. Nothing fails; what refers
// to it works on as if it were made again, or shows an error.
// Within `npm test` some of the pairs are walked by the tests of converting fields: there is no test of the short version.
import { caller } from '../../test/support/caller.ts';
import { allPairs } from '../../test/support/conversion-kinds.ts';
import { walkConversions } from '../../test/support/conversion-walk.ts';
import { openWorkshop } from '../../test/support/tables.ts';
import { openGround } from '../ground.ts';
import type { Outcome, Part, Setting } from '../part.ts';
import { randomFrom } from '../random.ts';

const run = async ({ seed, scale, say }: Setting): Promise<Outcome> => {
  const ground = await openGround();
  try {
    const shop = await openWorkshop(ground);
    const pairs = scale === 'full' ? allPairs : randomFrom(seed).shuffled(allPairs).slice(0, 8);
    const { faults, partners, requests } = await walkConversions(
      { ...shop, visitor: caller({ baseUrl: ground.baseUrl }) },
      pairs,
      say,
    );
    if (ground.output() !== '') faults.push(`the server complained: ${ground.output().slice(0, 2_000)}`);
    return {
      figures: {
        'Pairs of kinds, there and back': pairs.length,
        'Fields, views and shares that referred to the field': partners,
        'Requests to all of them': requests,
        'Faults of the server, cells that are wrong without an error': faults.length,
      },
      failures: faults.slice(0, 100),
    };
  } finally {
    await ground.close();
  }
};

export const conversion: Part = { name: 'conversion', title: 'Conversions', run };
