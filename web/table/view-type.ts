import type { ViewType } from '@rowhouse/contract/view.ts';
import { CalendarDays, Columns3, LayoutGrid, type LucideIcon, SquarePen, Table2 } from 'lucide-react';

export interface ViewTypeInfo {
  label: string;
  icon: LucideIcon;
}

export const viewTypeInfos: Record<ViewType, ViewTypeInfo> = {
  grid: { label: 'Grid', icon: Table2 },
  kanban: { label: 'Kanban', icon: Columns3 },
  gallery: { label: 'Gallery', icon: LayoutGrid },
  calendar: { label: 'Calendar', icon: CalendarDays },
  form: { label: 'Form', icon: SquarePen },
};
