// Every scenario, in the order they are run and shown.
import { createHundred, createOne, createThousand } from './create.ts';
import { historyBurst, recordHistoryBurst } from './history-burst.ts';
import { historyPage } from './history-page.ts';
import { historySize } from './history-size.ts';
import { listDeep, listHundred } from './list.ts';
import { memory } from './memory.ts';
import type { Scenario } from './scenario.ts';
import { updateHundred, updateOne, updateThousand } from './update.ts';

export const scenarios: Scenario[] = [
  createThousand,
  createHundred,
  createOne,
  updateThousand,
  updateHundred,
  updateOne,
  listHundred,
  listDeep,
  historyBurst,
  recordHistoryBurst,
  memory,
  historySize,
  historyPage,
];
