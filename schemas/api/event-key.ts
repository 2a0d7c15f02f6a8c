/** Of an entry of an index of PostgreSQL, 2,704 bytes, with room for what else is in it. */
const MAX_BYTES = 2_400;

/** What an event is stored and found by. */
export interface EventKey {
  readonly source: string;
  readonly id: string;
  readonly type: string;
}

/** Why an event cannot be stored under its source, id and type; undefined: it can. Only characters of several bytes come near the limit. */
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
