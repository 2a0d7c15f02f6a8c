/**
 * Iterates over a list that is paged by offset. Concurrent additions at the front move items onto the next page; such
 * items are returned once.
 */
export async function* iterateOffsets<T extends { readonly id: string }>(
  pageOf: (offset: number) => Promise<{ readonly items: readonly T[]; readonly total: number }>,
): AsyncGenerator<T, void, undefined> {
  let seen = new Set<string>();
  for (let offset = 0; ; ) {
    const { items, total } = await pageOf(offset);
    for (const item of items) if (!seen.has(item.id)) yield item;
    seen = new Set(items.map(({ id }) => id));
    offset += items.length;
    if (items.length === 0 || offset >= total) return;
  }
}

/** Iterates over a list that is paged by cursor. */
export async function* iterateCursors<T>(
  pageOf: (cursor: string | undefined) => Promise<{ readonly data: readonly T[]; readonly nextCursor: string | null }>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await pageOf(cursor);
    yield* data;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
