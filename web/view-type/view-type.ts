import type { ViewType } from '@rowhouse/contract/view.ts';
import { CalendarRange, ClipboardList, Grid3x3, LayoutGrid, type LucideIcon, SquareKanban } from 'lucide-react';

export interface ViewTypeInfo {
  label: string;
  meaning: string;
  icon: LucideIcon;
}

export const viewTypeInfos: Record<ViewType, ViewTypeInfo> = {
  grid: { label: 'Grid', meaning: 'Rows and columns, like a spreadsheet', icon: Grid3x3 },
  kanban: { label: 'Kanban', meaning: 'Cards in stacks that you drag', icon: SquareKanban },
  gallery: { label: 'Gallery', meaning: 'A card for each record', icon: LayoutGrid },
  calendar: { label: 'Calendar', meaning: 'Records on their days', icon: CalendarRange },
  form: { label: 'Form', meaning: 'Collects new records', icon: ClipboardList },
};
