/** Thrown if the text is not a cursor of this list. */
export class CursorError extends Error {
  override readonly name = 'CursorError';

  constructor() {
    super('the cursor is not one that this list has given out');
  }
}

/** Encodes a position in a list: the sort key of the last returned record. Opaque to the client. */
export function encodeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** Returns the first part of a cursor's key, unchecked. Undefined without a cursor. */
export function cursorLabel(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const [label] = decodeCursor(cursor, undefined);
  return label;
}

/**
 * Returns a cursor's key after checking its shape. Throws `CursorError`. Without a shape, any list of strings is valid.
 */
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
