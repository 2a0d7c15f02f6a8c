/** Async iterator that prefetches one item: the source produces the next item while the consumer uses the current one. */
export async function* prefetch<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let coming = iterator.next();
  try {
    for (;;) {
      const { done, value } = await coming;
      if (done) return;
      coming = iterator.next();
      coming.catch(() => {}); // the next call of next() rejects with this error
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
