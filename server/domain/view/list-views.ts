import type { View } from '@rowhouse/contract/view.ts';
import type { Context } from '../../context.ts';
import { viewVo } from './view-vo.ts';
import { selectViews } from './view.sql.ts';

export const listViews = async (context: Context, tableId: string): Promise<View[]> => (await selectViews(context.db, tableId)).map(viewVo);
