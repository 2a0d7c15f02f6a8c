import { createByteBuffer } from './byte-buffer.ts';
import { isSpace, SplitError, type SplitMode, trimmed } from './split-mode.ts';
import { BROKEN, createValueScanner, NEEDS_MORE } from './value-scanner.ts';

const COMMA = 44;
const CLOSE_ARRAY = 93;
const NOT_CLOSED = 'an element is not closed, or its brackets do not match';

/**
 * Splits the elements of a JSON array, starting after its opening bracket. An element that is malformed inside its own
 * brackets is passed on as a record. If the array itself is malformed, the rest cannot be split: throws a `SplitError`.
 *
 *   first, next ──► value ──► comma ──► next      `]` in first or comma ──► after
 */
export function splitArray(onRecord: (record: Buffer) => void): SplitMode {
  const held = createByteBuffer();
  const scanner = createValueScanner();
  let state: 'first' | 'next' | 'value' | 'comma' | 'after' = 'first';
  let elementAt = 0;

  /** Consumes bytes of the current element. Returns the index after them. */
  function takeElement(bytes: Buffer, at: number, position: number): number {
    const end = scanner.scan(bytes, at);
    if (end === BROKEN) throw new SplitError(NOT_CLOSED, elementAt);
    if (end === NEEDS_MORE) {
      held.append(bytes.subarray(at));
      return bytes.length;
    }
    if (held.length === 0 && end === at) throw new SplitError('expected an element', position + at);
    held.append(bytes.subarray(at, end));
    onRecord(trimmed(held.take()));
    state = 'comma';
    return end;
  }

  function takeSeparator(code: number, position: number): void {
    if (state === 'after') throw new SplitError('text follows the array', position);
    if (code === CLOSE_ARRAY) state = 'after';
    else if (code !== COMMA) throw new SplitError('expected a comma', position);
    else state = 'next';
  }

  return {
    push(bytes, position) {
      for (let at = 0; at < bytes.length; ) {
        const code = bytes[at] as number;
        if (state === 'value') {
          at = takeElement(bytes, at, position);
        } else if (isSpace(code)) {
          at++;
        } else if (state === 'next' || (state === 'first' && code !== CLOSE_ARRAY)) {
          state = 'value';
          elementAt = position + at;
          scanner.reset();
        } else {
          takeSeparator(code, position + at);
          at++;
        }
      }
    },
    end(position) {
      if (state === 'after') return;
      if (state === 'value' && scanner.isOpen()) throw new SplitError(NOT_CLOSED, elementAt);
      throw new SplitError('the array is not closed', position);
    },
  };
}
