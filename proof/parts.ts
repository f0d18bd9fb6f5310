// Every part of the proof, in the order in which it is run and reported.
import { authorisation } from './authorisation/authorisation.ts';
import { backup } from './backup/backup.ts';
import { cases } from './cases/cases.ts';
import { conversion } from './conversion/conversion.ts';
import { dependencies } from './dependencies/dependencies.ts';
import { fairness } from './fairness/fairness.ts';
import { formula } from './formula/formula.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { injection } from './injection/injection.ts';
import { intrusion } from './intrusion/intrusion.ts';
import { isolation } from './isolation/isolation.ts';
import { concurrency } from './concurrency/concurrency.ts';
import { kill } from './kill/kill.ts';
import { links } from './links/links.ts';
import { overload } from './overload/overload.ts';
import type { Part } from './part.ts';
import { rights } from './rights/rights.ts';
import { rolling } from './rolling/rolling.ts';
import { scopes } from './scopes/scopes.ts';
import { upgrade } from './upgrade/upgrade.ts';
import { automation } from './automation/automation.ts';
import { webhook } from './webhook/webhook.ts';

export const parts: Part[] = [
  kill,
  concurrency,
  fuzz,
  formula,
  conversion,
  cases,
  links,
  injection,
  intrusion,
  isolation,
  authorisation,
  scopes,
  rights,
  overload,
  rolling,
  webhook,
  automation,
  fairness,
  backup,
  upgrade,
  dependencies,
];
