// The operations of the server, as its own OpenAPI document tells them, and the requests that are good for each.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { routes } from '../../server/app.ts';
import type { Principal } from '../../test/support/access-principals.ts';
import type { Request } from '../../test/support/access-walk.ts';
import { walks } from '../../test/support/access-walk.ts';
import { type Person, person } from '../../test/support/people.ts';
import type { World } from '../../test/support/world.ts';
import { type Estate, openEstate } from '../estate.ts';
import { requestsFor } from '../requests.ts';

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>;
  components: { schemas: { Error: { properties: { code: { enum: string[] } } } } };
}

export interface ApiOperation {
  method: string;
  endpoint: Declaration;
}

export const readDocument = async (
  origin: string,
): Promise<{ operations: ApiOperation[]; codes: ReadonlySet<string> }> => {
  const document = (await (await fetch(`${origin}/api/openapi.json`)).json()) as Document;
  const declared = new Map(routes.map(({ endpoint }) => [endpoint.name, endpoint]));
  const operations = Object.values(document.paths).flatMap((methods) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      const endpoint = declared.get(operationId);
      if (endpoint === undefined) throw new Error(`the document names ${operationId}, which is no endpoint`);
      return { method: method.toUpperCase(), endpoint };
    }),
  );
  return { operations, codes: new Set(document.components.schemas.Error.properties.code.enum) };
};

const anybody: Principal = { name: 'owner', label: 'owner', headers: async () => ({}), admit: async () => undefined };

/** The ground under the requests. What a request uses up is made again, and so is everything when its owner is locked out. */
export interface Soil {
  requests: (endpoint: Declaration) => Promise<Request[]>;
  credential: (endpoint: Declaration, bySession: boolean) => Promise<Record<string, string>>;
  /** Ids of every kind. */
  ids: () => string[];
  /** A request of this endpoint went through. */
  used: (endpoint: Declaration) => void;
  /** Looks whether it is still there, and makes it again if not, or when `anyway`. */
  tend: (anyway: boolean) => Promise<boolean>;
}

export const openSoil = async (world: World): Promise<Soil> => {
  let plots = 0;
  let estate: Estate;
  let cookie: string;
  let administrator: Person;
  const fresh = new Map<string, Promise<object>>();
  const plough = async (): Promise<void> => {
    plots += 1;
    estate = await openEstate(world, `Field${plots}`);
    cookie = await estate.owner.cookie();
    administrator = await person(world, { admin: true });
    fresh.clear();
  };
  const isThere = async (): Promise<boolean> => {
    const { token } = estate.owner;
    const { tableId, baseId, spaceId, recordId, viewId, fieldId } = estate.things;
    const paths = [
      `/table/${tableId}/record/${recordId}`,
      `/table/${tableId}/view/${viewId}`,
      `/table/${tableId}/field/${fieldId}`,
      `/base/${baseId}`,
      `/space/${spaceId}`,
      '/auth/user/me',
    ];
    for (const path of paths) {
      const { status } = await fetch(`${world.baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
      if (status !== 200) return false;
    }
    return (await fetch(`${world.baseUrl}/auth/user/me`, { headers: { cookie } })).status === 200;
  };
  await plough();
  return {
    requests: async (endpoint) => {
      const make = walks[endpoint.name]?.fresh;
      if (make === undefined) return requestsFor(endpoint, estate.things);
      const made = fresh.get(endpoint.name) ?? make({ ...estate, world, caller: anybody }).catch(() => ({}));
      fresh.set(endpoint.name, made);
      return requestsFor(endpoint, { ...estate.things, ...(await made) });
    },
    credential: async ({ access, name }, bySession) => {
      if (access.on === 'admin') return { authorization: `Bearer ${administrator.token}` };
      // A session that may be over afterwards is one of its own.
      if (bySession && ['signOut', 'changePassword'].includes(name)) return { cookie: await estate.owner.cookie() };
      return bySession ? { cookie } : { authorization: `Bearer ${estate.owner.token}` };
    },
    ids: () => Object.values(estate.things as unknown as Record<string, string>),
    used: ({ name }) => void fresh.delete(name),
    tend: async (anyway) => {
      if (!anyway && (await isThere())) return false;
      await plough();
      return true;
    },
  };
};
