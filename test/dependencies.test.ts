// Packages that are not what one expects of a finished product are listed with a reason, or refused.
import { expect, test } from 'vitest';
import { faultsOf, runtimePackages } from '../scripts/dependencies.mjs';

type Package = ReturnType<typeof runtimePackages>[number];

test('a pre-release or an install script that nobody has given a reason for is a fault, and so is a reason that is not needed any more', () => {
  const packages = runtimePackages();
  expect(faultsOf(packages)).toEqual([]);
  const added = (more: Partial<Package>): string[] =>
    faultsOf([...packages, { ...(packages[0] as Package), name: 'new-one', version: '1.0.0', ...more }]);
  expect(added({})).toEqual([]);
  expect(added({ version: '1.0.0-rc.1', isPrerelease: true })).toEqual([
    expect.stringContaining('new-one 1.0.0-rc.1 is a pre-release'),
  ]);
  expect(added({ hasInstallScript: true })).toEqual([
    expect.stringContaining('new-one 1.0.0 runs a script when it is installed'),
  ]);
  // The grid may be an alpha; it may not begin to run scripts.
  expect(
    faultsOf(
      packages.map((one) => (one.name === '@glideapps/glide-data-grid' ? { ...one, hasInstallScript: true } : one)),
    ),
  ).toHaveLength(1);
  expect(faultsOf(packages.filter(({ name }) => name !== '@glideapps/glide-data-grid'))).toEqual([
    expect.stringContaining('is not so any more'),
  ]);
});
