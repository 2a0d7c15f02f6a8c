import type { RequestOptions } from './call.ts';
import { iterateCursors } from './pages.ts';

/** A page of a list with cursors. */
interface Page<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
}

/** A list with cursors, read by page or completely. */
export interface List<Item, Query, Answer extends Page<Item> = Page<Item> & { readonly limit: number }> {
  list(params?: Query, options?: RequestOptions): Promise<Answer>;
  /** Iterates over all items of `list`, page by page. */
  iterate(params?: Omit<Query, 'cursor'>, options?: RequestOptions): AsyncGenerator<Item, void, undefined>;
}

export function listBy<Item, Query, Answer extends Page<Item>>(
  list: (params: Query | undefined, options: RequestOptions | undefined) => Promise<Answer>,
): List<Item, Query, Answer> {
  return {
    list,
    iterate: (params, options) => iterateCursors((cursor) => list({ ...params, cursor } as Query, options)),
  };
}
