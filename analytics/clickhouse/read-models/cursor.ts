/** The text is not a cursor of this list. */
export class CursorError extends Error {
  override readonly name = 'CursorError';

  constructor() {
    super('the cursor is not one that this list has given out');
  }
}

/** A position in a list: the sort key of the last returned record, opaque to the client. */
export function encodeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** The key behind a cursor, checked for its shape. Throws `CursorError`. */
export function decodeCursor(cursor: string, shape: readonly RegExp[]): string[] {
  let key: unknown;
  try {
    key = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw new CursorError();
  }
  const fits =
    Array.isArray(key) &&
    key.length === shape.length &&
    key.every((part, i) => typeof part === 'string' && shape[i]?.test(part));
  if (!fits) throw new CursorError();
  return key as string[];
}
