// The share endpoints, and nothing else of the API.
import { createClient } from '@rowhouse/contract/client.ts';
import type { getShare } from '@rowhouse/contract/share.ts';
import type { ResponseOf } from '@rowhouse/contract/endpoint.ts';
import type { Field } from '@rowhouse/contract/field.ts';

export const ask = createClient({ baseUrl: '/api' });

export type Share = ResponseOf<typeof getShare>;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** In the order of the view, the primary one first where it has none. */
export const columnsOf = ({ fields, view: { columnMeta } }: Share): Field[] => fields.toSorted((one, other) => (columnMeta[one.id]?.order ?? 1e9) - (columnMeta[other.id]?.order ?? 1e9));

export const nameOf = ({ name }: { name?: string | undefined }): string => (name === undefined || name === '' ? 'Unnamed record' : name);
