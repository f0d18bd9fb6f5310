// The role that servers connect to the embedded PostgreSQL as: no superuser, owner of its database and of all that is in it.
// The superuser makes it, and hands over to it what earlier versions made as superuser. Each step looks at what is there,
// so that one that was broken off is taken up by the next start; once all is done, the superuser is not needed any more.
import pg from 'pg';
import type { EmbeddedPostgres } from './embedded.ts';
import { serverRole, superuser } from './embedded-cluster.ts';
import { sqlState, StartError } from './error.ts';
import { isVerifierOf, scramVerifier } from './scram.ts';

type Say = (line: string) => void;

const handoverLock = 0x726f7703;

/** Where things stay with the superuser: what reads the verifiers of readers for a backup. */
const adminSchema = 'rowhouse_admin';

/** PostgreSQL lets superusers alone change these: a limit for readers, and how soon the building of an index gives way. */
const parameters = ['temp_file_limit', 'deadlock_timeout'] as const;

const connectAs = async (url: string, name: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: name, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

const asSuperuser = async <T>(
  postgres: EmbeddedPostgres,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = await connectAs(postgres.urlOf(database), `rowhouse handover ${process.pid}`);
  return work(client).finally(() => client.end());
};

/** One after the other: two starts at once would make the same things. */
const alone = (postgres: EmbeddedPostgres, work: (client: pg.Client) => Promise<void>): Promise<void> =>
  asSuperuser(postgres, 'postgres', async (client) => {
    await client.query('select pg_advisory_lock($1)', [handoverLock]);
    await work(client);
  });

/** The password of the role is random, and is used for every connection. */
const iterations = 1;

const makeRole = async (client: pg.Client, password: string): Promise<void> => {
  const known = await client.query<{ verifier: string | null }>(
    'select rolpassword as verifier from pg_authid where rolname = $1',
    [serverRole],
  );
  const verifier = known.rows[0]?.verifier ?? null;
  const kind = 'login nosuperuser createrole nocreatedb noreplication nobypassrls inherit';
  if (known.rowCount === 0)
    await client.query(`create role ${serverRole} with ${kind} password '${scramVerifier(password, iterations)}'`);
  else if (!isVerifierOf(verifier, password, iterations))
    await client.query(`alter role ${serverRole} with ${kind} password '${scramVerifier(password, iterations)}'`);
};

/** Readers of a base have business in one database. In the others anybody could take the locks by which servers agree. */
const closeOtherDatabases = async (client: pg.Client): Promise<void> => {
  await client.query('revoke connect on database postgres, template1 from public');
  await client.query(`grant connect on database postgres to ${serverRole}`);
};

/** Connections that readers of bases cannot take. */
const reserve = 'pg_use_reserved_connections';

const makeDatabase = async (client: pg.Client, database: string): Promise<void> => {
  const known = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [database],
  );
  if (known.rowCount === 0) await client.query(`create database ${database} owner ${serverRole}`);
  else if (known.rows[0]?.owner !== serverRole) await client.query(`alter database ${database} owner to ${serverRole}`);
};

/** The role, its rights outside of its database, and the database. */
const makeServerRole = (postgres: EmbeddedPostgres, database: string): Promise<void> =>
  alone(postgres, async (client) => {
    await makeRole(client, postgres.passwordOf(serverRole));
    await client.query(`grant set on parameter ${parameters.join(', ')} to ${serverRole}`);
    await client.query(`grant ${reserve} to ${serverRole}`);
    await closeOtherDatabases(client);
    await makeDatabase(client, database);
  });

/**
 * What earlier versions made as superuser. `reassign owned` refuses the first superuser of a cluster, whose things include
 * those of PostgreSQL itself; they have numbers below 16384. Indexes and sequences of columns follow their table.
 */
const ofSuperuser = `
  select 'schema ' || quote_ident(nspname) as thing from pg_namespace where nspowner = $1::regrole and oid >= 16384 and nspname <> '${adminSchema}'
  union all
  select case c.relkind when 'S' then 'sequence ' when 'v' then 'view ' when 'm' then 'materialized view ' when 'c' then 'type ' else 'table ' end || c.oid::regclass
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relowner = $1::regrole and c.oid >= 16384 and c.relkind in ('r', 'p', 'v', 'm', 'S', 'c') and n.nspname not like 'pg\\_%' and n.nspname <> '${adminSchema}'
    and not (c.relkind = 'S' and exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0))
  union all
  select 'routine ' || p.oid::regprocedure from pg_proc p where p.proowner = $1::regrole and p.oid >= 16384 and p.pronamespace is distinct from to_regnamespace('${adminSchema}')
  union all
  select 'type ' || t.oid::regtype from pg_type t where t.typowner = $1::regrole and t.oid >= 16384 and t.typtype in ('e', 'd', 'r')`;

/** Readers of bases that the server's role could not end, change or drop. */
const strangeReaders = `
  select r.rolname as name from pg_roles r where r.rolname ~ '^reader_bse'
    and not exists (select from pg_auth_members m where m.roleid = r.oid and m.member = $1::regrole and m.admin_option)`;

/**
 * By which readers could take the locks of servers, fill the disk with large objects or with WAL, use up transaction numbers, or leave files of
 * snapshots behind. docs/guide/sql-access.md has the list with the reasons, and what was looked at and left.
 */
export const fencedNames =
  '^(pg_(try_)?advisory_|lo_|lowrite$|loread$|pg_logical_emit_message$|txid_current$|pg_current_xact_id$|pg_export_snapshot$)';

const fencedFunctions = `
  select p.oid::regprocedure::text as name, p.proname ~ 'advisory' as "isLock" from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ '${fencedNames}'
    and (has_function_privilege('public', p.oid, 'execute') or (p.proname ~ 'advisory' and not has_function_privilege($1, p.oid, 'execute')))`;

const hasVerifiers = `select to_regprocedure('${adminSchema}.reader_verifier(name)') is not null as there`;

/** Also asked by the server's role, to see whether it needs the superuser at all. */
const isHandedOver = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ done: boolean }>(
    `select (select datdba = '${serverRole}'::regrole from pg_database where datname = current_database())
        and not exists (${ofSuperuser.replaceAll('$1', `'${superuser}'`)})
        and not exists (${strangeReaders.replaceAll('$1', `'${serverRole}'`)})
        and not exists (${fencedFunctions.replaceAll('$1', `'${serverRole}'`)})
        and (${hasVerifiers})
        and pg_has_role('${serverRole}', '${reserve}', 'usage')
        and ${parameters.map((name) => `has_parameter_privilege('${name}', 'set')`).join(' and ')} as done`,
  );
  return rows[0]?.done === true;
};

/** So few at a time that PostgreSQL has the locks for them, each with its indexes. */
const batch = 100;

const handThingsOver = async (client: pg.Client, say: Say): Promise<void> => {
  const { rows } = await client.query<{ thing: string }>(ofSuperuser, [superuser]);
  if (rows.length > 0) say(`handing the database over to a role that is no superuser (${rows.length} things, once)`);
  for (let from = 0; from < rows.length; from += batch) {
    await client.query(
      rows
        .slice(from, from + batch)
        .map(({ thing }) => `alter ${thing} owner to ${serverRole};`)
        .join('\n'),
    );
  }
};

const fence = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string; isLock: boolean }>(fencedFunctions, [serverRole]);
  const statements = rows.map(
    ({ name, isLock }) =>
      `revoke execute on function ${name} from public;${isLock ? `grant execute on function ${name} to ${serverRole};` : ''}`,
  );
  if (statements.length > 0) await client.query(statements.join('\n'));
};

/** The only right beyond its database: what PostgreSQL keeps of the passwords of readers, so that a backup holds them. */
const showVerifiers = async (client: pg.Client): Promise<void> => {
  await client.query(
    `create schema if not exists ${adminSchema};
     create or replace function ${adminSchema}.reader_verifier(reader name) returns text language sql stable security definer
       begin atomic select rolpassword from pg_catalog.pg_authid where rolname = reader and rolname ~ '^reader_bse'; end;
     revoke all on function ${adminSchema}.reader_verifier(name) from public;
     grant usage on schema ${adminSchema} to ${serverRole};
     grant execute on function ${adminSchema}.reader_verifier(name) to ${serverRole};`,
  );
};

const handOver = (postgres: EmbeddedPostgres, database: string, say: Say): Promise<void> =>
  alone(postgres, () =>
    asSuperuser(postgres, database, async (client) => {
      // Something that works with these tables as a former version: better to say so than to wait without end.
      await client.query("set lock_timeout = '10s'");
      await fence(client);
      await handThingsOver(client, say);
      for (const { name } of (await client.query<{ name: string }>(strangeReaders, [serverRole])).rows)
        await client.query(`grant ${pg.escapeIdentifier(name)} to ${serverRole} with admin option`);
      await showVerifiers(client);
    }),
  ).catch((error: unknown) => {
    if (sqlState(error) !== '55P03') throw error;
    throw new StartError(
      'the database is in use by another version of Rowhouse, and its tables cannot change their owner meanwhile: stop that one first',
    );
  });

/** The role is not there, has another password, or the database is not there. */
const isMissing = (error: unknown): boolean => ['28P01', '28000', '3D000', '42501'].includes(sqlState(error) ?? '');

/** A connection to `postgres`, where the locks are by which servers agree. */
export const connectServerRole = async (
  postgres: EmbeddedPostgres,
  database: string,
  name: string,
): Promise<pg.Client> => {
  const url = postgres.urlOf('postgres', serverRole);
  try {
    return await connectAs(url, name);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await makeServerRole(postgres, database);
    return connectAs(url, name);
  }
};

const looksHandedOver = async (postgres: EmbeddedPostgres, database: string): Promise<boolean> => {
  let client: pg.Client | undefined;
  try {
    client = await connectAs(postgres.urlOf(database, serverRole), `rowhouse handover ${process.pid}`);
    return await isHandedOver(client);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  } finally {
    await client?.end();
  }
};

/** The database is there and all its own. Answers its URL. */
export const ownDatabase = async (
  postgres: EmbeddedPostgres,
  database: string,
  say: Say = () => undefined,
): Promise<string> => {
  if (!(await looksHandedOver(postgres, database))) {
    await makeServerRole(postgres, database);
    await handOver(postgres, database, say);
  }
  return postgres.urlOf(database, serverRole);
};
