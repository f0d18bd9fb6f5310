import { SquareKanban } from 'lucide-react';
import { onCards } from '../card/card-cover.tsx';
import type { ViewTypeEntry } from '../view-type.ts';
import { BoardSettings } from './board-settings.tsx';
import { KanbanView } from './kanban-view.tsx';

export const kanban: ViewTypeEntry = {
  label: 'Kanban',
  meaning: 'Cards in stacks that you drag',
  icon: SquareKanban,
  begin: (fields) => {
    const stack = fields.find((field) => field.type === 'singleSelect' && field.isLookup !== true);
    return {
      columnMeta: onCards(fields.filter((field) => field !== stack)),
      ...(stack === undefined ? {} : { options: { stackFieldId: stack.id } }),
    };
  },
  View: KanbanView,
  tools: ['fields', 'filter', 'sort', 'colors'],
  before: BoardSettings,
  search: 'cards',
  addsRecords: true,
  downloads: [],
  print: () => window.print(),
};
