// Figures about background work: of the whole instance what waits and runs, of this process what has ended.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Services } from '../context.ts';
import { countJobs } from '../work/job.sql.ts';

export const addJobMetrics = (registry: Registry, services: Services): void => {
  const late = new Gauge({
    name: 'rowhouse_job_delay_seconds',
    help: 'How long the oldest job of a kind has been due, in the whole instance',
    labelNames: ['kind'],
    registers: [registry],
  });
  new Gauge({
    name: 'rowhouse_jobs',
    help: 'Jobs of the whole instance by kind and state; finished ones of users are kept for a week',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      late.reset();
      // A database that is away says so elsewhere; the figures of the process are wanted then most of all.
      for (const row of await countJobs(services.db).catch(() => [])) {
        this.set({ kind: row.kind, state: row.state }, row.count);
        if (row.state === 'waiting') late.set({ kind: row.kind }, row.late);
      }
    },
  });
  new Counter({
    name: 'rowhouse_job_runs_total',
    help: 'Runs of jobs that have ended in this process, by outcome',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, outcomes] of services.work.outcomes())
        for (const [outcome, count] of outcomes) this.inc({ kind, outcome }, count);
    },
  });
};
