// A fresh database and a running server for one test file, and a client that checks every answer
// against the contract.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, inject } from 'vitest';
import { type ClientOptions, createClient } from '@rowhouse/contract/client.ts';
import type { BodyOf, Declaration, ParamsOf, QueryOf, ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { ErrorBody } from '@rowhouse/contract/error.ts';
import { createApp, createServices } from '../../server/app.ts';
import { type Config, readConfig } from '../../server/config.ts';
import type { Services } from '../../server/context.ts';
import { type Db, openDb } from '../../server/db/db.ts';
import { startRelay } from '../../server/realtime/start-relay.ts';

export interface World {
  db: Db;
  databaseUrl: string;
  services: Services;
  /** Up to and including `/api`. */
  baseUrl: string;
  origin: string;
  close(): Promise<void>;
}

export const createDatabase = async (): Promise<{ url: string; drop: () => Promise<void> }> => {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name} template template_rowhouse`);
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      const client = new pg.Client({ connectionString: server });
      await client.connect();
      await client.query(`drop database if exists ${name} with (force)`);
      await client.end();
    },
  };
};

export const openWorld = async (databaseUrl: string, config: Partial<Config> = {}, overrides: Partial<Services> = {}): Promise<World> => {
  const db = openDb(databaseUrl);
  const services = createServices(db, { ...readConfig({ LOG_LEVEL: 'error' }), ...config }, overrides);
  const app = createApp(services);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  services.publicUrl = () => origin;
  const relayDb = openDb(databaseUrl, { max: 3 });
  const stopRelay = startRelay(services, relayDb);
  return {
    db,
    databaseUrl,
    services,
    origin,
    baseUrl: `${origin}/api`,
    close: async () => {
      await stopRelay();
      await relayDb.close();
      // Node's fetch keeps a spare connection for each that was aborted, which the server would wait for.
      const cut = setInterval(() => app.server.closeAllConnections(), 20);
      await app.close().finally(() => clearInterval(cut));
      await db.close();
    },
  };
};

/** For the top of a test file: `const world = useWorld();` then `world().baseUrl` inside tests. */
export const useWorld = (config: Partial<Config> = {}, overrides: Partial<Services> = {}): (() => World) => {
  let world: World | undefined;
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const database = await createDatabase();
    drop = database.drop;
    world = await openWorld(database.url, config, overrides);
  });
  afterAll(async () => {
    await world?.close();
    await drop?.();
  });
  return () => world as World;
};

type Arguments<D> = ([ParamsOf<D>] extends [never] ? object : { params: ParamsOf<D> }) & {
  query?: [QueryOf<D>] extends [never] ? Record<string, unknown> : QueryOf<D> | Record<string, unknown>;
  body?: [BodyOf<D>] extends [never] ? unknown : BodyOf<D>;
  headers?: Record<string, string>;
};

export interface Outcome<T> {
  status: number;
  headers: Headers;
  body: T;
  /** The answer read as an error. */
  error: ErrorBody & { data: any };
}

const compiled = new WeakMap<object, ReturnType<typeof Compile>>();

/** Calls an endpoint and fails the test when a successful answer is not what the contract declares. */
export const caller = (options: ClientOptions) => {
  return async <const D extends Declaration>(endpoint: D, input: Arguments<D> = {} as Arguments<D>): Promise<Outcome<ResponseOf<D>>> => {
    let answered: Response | undefined;
    const client = createClient({
      ...options,
      fetch: async (url, init) => {
        answered = await fetch(url, init);
        return answered.clone();
      },
    });
    await client(endpoint, input as never).catch((error: unknown) => {
      if (answered === undefined) throw error;
    });
    const response = answered as Response;
    const text = await response.text();
    const body = text === '' ? undefined : response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
    if (response.ok) {
      if (response.status !== endpoint.status) throw new Error(`${endpoint.name} answered ${response.status}, the contract says ${endpoint.status}`);
      if (endpoint.response !== undefined && endpoint.produces === undefined) {
        const schema = endpoint.response as object;
        if (!compiled.has(schema)) compiled.set(schema, Compile(schema));
        const check = compiled.get(schema) as ReturnType<typeof Compile>;
        if (!check.Check(body)) throw new Error(`${endpoint.name} answered what its contract does not allow: ${JSON.stringify(check.Errors(body).slice(0, 3))}\n${text.slice(0, 1_000)}`);
      }
    }
    return { status: response.status, headers: response.headers, body, error: body };
  };
};

export type Caller = ReturnType<typeof caller>;
