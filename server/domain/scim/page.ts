// One page of a list: counted from 1, as RFC 7644 has it.
import { type Comparison, readFilter } from './read-filter.ts';
import type { Page } from './scim.sql.ts';

export interface ListQuery {
  filter?: string;
  startIndex?: number;
  count?: number;
  attributes?: string;
  excludedAttributes?: string;
}

const usual = 100;
const most = 200;

export const pageOf = (
  { filter, startIndex = 1, count = usual }: ListQuery,
  known: readonly string[],
): Page & { startIndex: number; filter: Comparison[] } => {
  const first = Math.max(1, startIndex);
  return {
    filter: readFilter(filter, known),
    startIndex: first,
    skip: first - 1,
    take: Math.min(most, Math.max(0, count)),
  };
};

const named = (list: string | undefined): string[] =>
  (list ?? '').split(',').map((word) => word.trim().toLowerCase().split(':').at(-1) as string);

export const wantsMembers = ({ attributes, excludedAttributes }: ListQuery): boolean =>
  !named(excludedAttributes).includes('members') && (attributes === undefined || named(attributes).includes('members'));
