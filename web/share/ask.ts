// The share endpoints, and nothing else of the API.
import { createClient } from '@rowhouse/contract/client.ts';
import type { getShare } from '@rowhouse/contract/share.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';

export const ask = createClient({ baseUrl: '/api' });

export type Share = ResponseOf<typeof getShare>;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
