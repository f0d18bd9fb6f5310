// Calls operations as somebody who sees only a part of a table: with an access decision whose sight is narrowed, which no
// credential can have yet. Everything below the decision is real.
import type { Declaration } from '@rowhouse/contract/endpoint.ts';
import { ApiError } from '@rowhouse/contract/error.ts';
import { routes } from '../../server/app.ts';
import { demand, resolveAccess } from '../../server/catalog/access.ts';
import { type Rights, type TableRights, wholeTable } from '../../server/catalog/rights.ts';
import type { Context } from '../../server/context.ts';
import { credentialOf } from '../../server/endpoint/credential.ts';
import { Answer, StreamAnswer, wholeText } from '../../server/endpoint/route.ts';
import type { Outlet } from '../../server/live.ts';
import type { Request } from './access-walk.ts';
import type { World } from './world.ts';

interface Told {
  status: number;
  text: string;
  headers: Record<string, string | string[]>;
}

export interface Restricted {
  call(endpoint: Declaration, request: Request): Promise<Told>;
  /** Opens a stream; `heard` is what was written to it so far. */
  listen(endpoint: Declaration, request: Request): Promise<{ heard: () => string; close: () => void }>;
}

const textOf = (answer: Answer): string => {
  if (answer.text !== undefined) return wholeText(answer.text);
  return answer.body === undefined ? '' : JSON.stringify(answer.body);
};

/** As the holder of `token` on one table, but with these rights there. Rights of one table leave the others whole; whom rules bind is an editor at most. */
export const restricted = async (
  { services, db }: World,
  token: string,
  tableId: string,
  rights: TableRights | Rights,
): Promise<Restricted> => {
  const headers = { authorization: `Bearer ${token}` };
  const credential = credentialOf(headers);
  if (credential === undefined) throw new Error('no credential');
  const isBound = 'of' in rights;
  const decide = async () => ({
    ...(await resolveAccess(db, credential, { type: 'table', id: tableId, trashed: false })),
    ...(isBound ? { role: 'editor' as const } : {}),
    rights: 'of' in rights ? rights : { of: (id: string) => (id === tableId ? rights : wholeTable) },
  });

  const run = async (endpoint: Declaration, request: Request): Promise<Answer> => {
    const route = routes.find((one) => one.endpoint.name === endpoint.name);
    if (route === undefined) throw new Error(`no route for ${endpoint.name}`);
    const access = await decide();
    if (isBound && endpoint.access.on === 'table' && endpoint.access.action !== undefined)
      demand(access, endpoint.access.action, tableId);
    const context: Context = {
      ...services,
      db,
      principal: access.principal,
      access,
      requestId: 'req',
      from: { ip: null, userAgent: null },
      refresh: decide,
      noteOperation: () => undefined,
    };
    const input = {
      params: {},
      query: {},
      body: undefined,
      ...request,
      headers,
      ip: '',
      recheck: { key: () => JSON.stringify('of' in rights ? rights.of(tableId) : rights), run: decide },
    };
    const result = await route.handler((route.isGuarded ? { unconfirmed: context } : context) as never, input as never);
    if (result instanceof StreamAnswer) {
      const parts: Buffer[] = [];
      for await (const part of result.parts) parts.push(part);
      return new Answer({ text: parts, headers: result.headers });
    }
    return result instanceof Answer ? result : new Answer({ body: result });
  };

  return {
    async call(endpoint, request) {
      try {
        const answer = await run(endpoint, request);
        return { status: answer.status ?? endpoint.status, text: textOf(answer), headers: answer.headers };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return {
          status: error.status,
          text: JSON.stringify({ message: error.message, data: error.data }),
          headers: {},
        };
      }
    },
    async listen(endpoint, request) {
      const written: string[] = [];
      let leave = (): void => undefined;
      const outlet: Outlet = {
        write: (chunk) => void written.push(chunk.toString()),
        backlog: () => 0,
        end: () => undefined,
        cut: () => undefined,
        onClose: (act) => void (leave = act),
        onDrain: () => undefined,
      };
      (await run(endpoint, request)).open?.(outlet);
      return { heard: () => written.join(''), close: () => leave() };
    },
  };
};
