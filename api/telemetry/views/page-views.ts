import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    pageViews: PageViewsTable;
  }
}

/** How often a page was looked at. */
export interface PageViewsTable {
  slug: string;
  views: Generated<number>;
}

/** Counts one view of a page, the first of a page too; resolves to how many there are now. */
export async function countPageView(db: Db, slug: string): Promise<number> {
  const { views } = await db
    .insertInto('pageViews')
    .values({ slug, views: 1 })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ views: sql<number>`page_views.views + 1` }))
    .returning('views')
    .executeTakeFirstOrThrow();
  return views;
}

/** How many views a page has; 0 for a page without views. */
export async function readPageViews(db: Db, slug: string): Promise<number> {
  const page = await db.selectFrom('pageViews').select('views').where('slug', '=', slug).executeTakeFirst();
  return page?.views ?? 0;
}
