/** The same, with the next one asked for while the one before is being used: what makes them and what uses them work side by side. */
export async function* oneAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let coming = iterator.next();
  try {
    for (;;) {
      const { done, value } = await coming;
      if (done) return;
      coming = iterator.next();
      coming.catch(() => {}); // the next call of next() rejects with it
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
