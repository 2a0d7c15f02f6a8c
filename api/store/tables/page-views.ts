import type { Generated } from 'kysely';

/** How often a page was looked at. */
export interface PageViewsTable {
  slug: string;
  views: Generated<number>;
}
