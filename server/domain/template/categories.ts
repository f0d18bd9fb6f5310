import { notFound } from '@rowhouse/contract/error.ts';
import type { TemplateCategory } from '@rowhouse/contract/template.ts';
import type { Context } from '../../context.ts';
import {
  deleteCategoryRow,
  insertCategory,
  renameCategory,
  selectCategories,
  selectPublishedCategories,
} from './template.sql.ts';

const missing = (id: string): Error => notFound('Category', id.slice(0, 50));

export const listTemplateCategories = ({ db }: Context): Promise<TemplateCategory[]> => selectCategories(db);

export const listPublishedTemplateCategories = ({ db }: Context): Promise<TemplateCategory[]> =>
  selectPublishedCategories(db);

export const createTemplateCategory = ({ db, newId }: Context, name: string): Promise<TemplateCategory> =>
  insertCategory(db, newId('tpc'), name);

export const updateTemplateCategory = async ({ db }: Context, id: string, name: string): Promise<TemplateCategory> => {
  const category = await renameCategory(db, id, name);
  if (category === undefined) throw missing(id);
  return category;
};

export const deleteTemplateCategory = async ({ db }: Context, id: string): Promise<void> => {
  if (!(await deleteCategoryRow(db, id))) throw missing(id);
};
