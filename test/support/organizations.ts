// An organisation for tests, with an administrator, and ways to fill it.
import { claimDomain, checkDomain } from '@rowhouse/contract/enterprise.ts';
import { createOrganization, setOrganizationAdmin } from '@rowhouse/contract/organization.ts';
import type { startNameServer } from './dns-server.ts';
import { type Person, person } from './people.ts';
import type { World } from './world.ts';

export interface TestOrganization {
  organizationId: string;
  admin: Person;
}

export const newOrganization = async (
  world: World,
  name = 'Organisation',
  admin?: Person,
): Promise<TestOrganization> => {
  const operator = await person(world, { admin: true });
  const by = admin ?? (await person(world));
  const made = await operator.call(createOrganization, { body: { name } });
  if (made.status !== 201) throw new Error(`createOrganization: ${made.status}`);
  const organizationId = made.body.id;
  const params = { organizationId };
  const set = await operator.call(setOrganizationAdmin, { params, body: { userId: by.userId, isAdmin: true } });
  if (set.status !== 200) throw new Error(`setOrganizationAdmin: ${set.status}`);
  return { organizationId, admin: by };
};

export const verifiedDomain = async (
  { organizationId, admin }: TestOrganization,
  names: Awaited<ReturnType<typeof startNameServer>>,
  domain: string,
): Promise<string> => {
  const claimed = await admin.call(claimDomain, { params: { organizationId }, body: { domain } });
  names.records.set(claimed.body.recordName, [claimed.body.recordValue]);
  const { id } = claimed.body;
  const checked = await admin.call(checkDomain, { params: { organizationId, domainId: id } });
  if (checked.body.isVerified !== true) throw new Error(`${domain} is not verified: ${checked.status}`);
  return id;
};
