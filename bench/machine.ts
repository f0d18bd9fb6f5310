// What the figures were measured on; nothing that names the machine itself.
import { availableParallelism, cpus, totalmem } from 'node:os';
import type pg from 'pg';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  platform: string;
  node: string;
  postgres: string;
}

export const describeMachine = async (client: pg.Client): Promise<Machine> => {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    postgres: rows[0]?.server_version ?? 'unknown',
  };
};
