// What an operation gets, made from a request.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../catalog/access.ts';
import type { From } from '../catalog/audit.sql.ts';
import type { Context, Services } from '../context.ts';
import type { Db } from '../db/db.ts';

export const fromOf = ({ ip, headers }: FastifyRequest): From => ({ ip, userAgent: headers['user-agent'] ?? null });

/** Counts what a request made beside its own records, for the header of its answer. */
export const effectsHeader = (reply: FastifyReply): Context['noteEffects'] => {
  const counts: Record<'records' | 'choices', Record<string, number>> = { records: {}, choices: {} };
  return (kind, id, count) => {
    counts[kind][id] = (counts[kind][id] ?? 0) + count;
    void reply.header('x-side-effects', JSON.stringify(counts));
  };
};

/** Named one by one: this is made for every request, and a spread that is added to takes ten times as long. */
export const contextOf = (
  services: Services,
  db: Db,
  access: Access,
  request: FastifyRequest,
  refresh: Context['refresh'],
  noteOperation: Context['noteOperation'],
  step: Context['step'],
  noteEffects: Context['noteEffects'],
  noteReplay: Context['noteReplay'],
): Context => ({
  db,
  config: services.config,
  catalog: services.catalog,
  plans: services.plans,
  signInProviders: services.signInProviders,
  now: services.now,
  newId: services.newId,
  publicUrl: services.publicUrl,
  secretKey: services.secretKey,
  files: services.files,
  live: services.live,
  settleFeed: services.settleFeed,
  work: services.work,
  stopping: services.stopping,
  backgroundErrors: services.backgroundErrors,
  recent: services.recent,
  logStream: services.logStream,
  principal: access.principal,
  access,
  requestId: request.id,
  from: fromOf(request),
  refresh,
  noteOperation,
  step,
  noteEffects,
  noteReplay,
});
