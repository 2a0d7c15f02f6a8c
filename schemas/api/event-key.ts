/** A PostgreSQL index entry has at most 2,704 bytes. The rest is reserved for its other columns. */
const MAX_BYTES = 2_400;

/** The key under which an event is stored and looked up. */
export interface EventKey {
  readonly source: string;
  readonly id: string;
  readonly type: string;
}

/**
 * Returns why an event cannot be stored under its source, id and type; undefined if it can. Only values with multi-byte
 * characters reach the limit.
 */
export function eventKeyProblem({
  source,
  id,
  type,
}: EventKey): { readonly field: 'id' | 'type'; readonly message: string } | undefined {
  const key = bytesOf(source) + bytesOf(id);
  if (key > MAX_BYTES)
    return { field: 'id', message: `source and id may have ${MAX_BYTES} bytes together in UTF-8 (got ${key})` };
  if (bytesOf(type) > MAX_BYTES)
    return { field: 'type', message: `the type may have ${MAX_BYTES} bytes in UTF-8 (got ${bytesOf(type)})` };
  return undefined;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
