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

/** The first part of the key behind a cursor, unchecked; undefined without a cursor. */
export function cursorLabel(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const [label] = decodeCursor(cursor, undefined);
  return label;
}

/** The key behind a cursor, checked for its shape. Throws `CursorError`. Without a shape: a list of texts. */
export function decodeCursor(cursor: string, shape: readonly RegExp[] | undefined): string[] {
  let key: unknown;
  try {
    key = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw new CursorError();
  }
  const fits =
    Array.isArray(key) &&
    (shape === undefined || key.length === shape.length) &&
    key.every((part, i) => typeof part === 'string' && (shape === undefined || shape[i]?.test(part)));
  if (!fits) throw new CursorError();
  return key as string[];
}
