import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    pageViews: PageViewsTable;
  }
}

/** Number of views per page. */
export interface PageViewsTable {
  slug: string;
  views: Generated<number>;
}

/** Counts one view of a page, including the first. Resolves to the new number of views. */
export async function countPageView(db: Db, slug: string): Promise<number> {
  const { views } = await db
    .insertInto('pageViews')
    .values({ slug, views: 1 })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ views: sql<number>`page_views.views + 1` }))
    .returning('views')
    .executeTakeFirstOrThrow();
  return views;
}

/** Returns the number of views of a page; 0 for a page without views. */
export async function readPageViews(db: Db, slug: string): Promise<number> {
  const page = await db.selectFrom('pageViews').select('views').where('slug', '=', slug).executeTakeFirst();
  return page?.views ?? 0;
}
