// Keeps the data folder of a version for the proof of upgrades: `node --import tsx scripts/make-upgrade-fixture.ts
// <checkout> <version>`, where the checkout is of that version, with its packages installed and its server built.
import { execFileSync } from 'node:child_process';
import { makeFixture } from '../proof/upgrade/fixture.ts';

const [checkout, version, commit] = process.argv.slice(2);
if (checkout === undefined || version === undefined) {
  console.error('Usage: node --import tsx scripts/make-upgrade-fixture.ts <checkout> <version> [commit]');
  process.exit(2);
}
await makeFixture(
  checkout,
  version,
  commit ?? execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim(),
);
