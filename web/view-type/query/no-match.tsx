// In place of records: there are some, but the filter lets none through.
import type { FilterGroup } from '@rowhouse/contract/filter.ts';
import type { View } from '@rowhouse/contract/view.ts';
import { ListFilter } from 'lucide-react';
import { countConditions, noFilter } from '../../field-type/filter/conditions.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ViewQuery } from './use-view-query.ts';

export const isFiltered = ({ filter }: Pick<View, 'filter'>): boolean =>
  countConditions((filter as FilterGroup | undefined) ?? noFilter) > 0;

export const NoMatch = ({ query }: { query: ViewQuery }) => (
  <EmptyState
    icon={<ListFilter size={20} />}
    title="No records match the filter"
    action={<Button onClick={() => void query.setFilter(null)}>Clear filter</Button>}
  >
    Records that do not meet its conditions are hidden, not deleted.
  </EmptyState>
);
