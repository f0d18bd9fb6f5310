// The one writer of rowhouse.plan_products: what the file of plans last said about each level.
import type { Product } from '../../catalog/plans.ts';
import { many, type Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export const saveProducts = async (db: Queryable, products: readonly Product[]): Promise<void> => {
  await db.query(
    sql`insert into rowhouse.plan_products (level, product)
        select p->>'level', p from jsonb_array_elements(${JSON.stringify(products)}::jsonb) p order by 1
        on conflict (level) do update set product = excluded.product, is_offered = true
        where plan_products.product <> excluded.product or not plan_products.is_offered`,
  );
  const levels = products.map(({ level }) => level);
  await db.query(
    sql`update rowhouse.plan_products set is_offered = false where is_offered and not level = any(${levels}::text[])`,
  );
};

export const selectRetiredProducts = async (db: Queryable): Promise<Product[]> =>
  (await many<{ product: Product }>(db, sql`select product from rowhouse.plan_products where not is_offered`)).map(
    ({ product }) => product,
  );
