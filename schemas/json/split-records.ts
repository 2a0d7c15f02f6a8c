import { createByteBuffer } from './byte-buffer.ts';
import { splitArray } from './split-array.ts';
import { splitLines } from './split-lines.ts';
import { isSpace, NEWLINE, type SplitMode, trimmed } from './split-mode.ts';
import { BROKEN, createValueScanner, NEEDS_MORE } from './value-scanner.ts';

export { SplitError } from './split-mode.ts';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const OPEN_ARRAY = 91;
const OPEN_OBJECT = 123;

export interface RecordSplitter {
  /** Processes the next bytes of the text. Throws a `SplitError`, or the errors of `onRecord`. */
  push(bytes: Buffer): void;
  /** Ends the text. Throws the same errors as `push`. */
  end(): void;
}

/**
 * Splits the records of a request body that arrives in chunks. The body is an array of events, one event
 * (pretty-printed or not), or one event per line. The first character and the end of the first value determine which.
 * `onRecord` is called with the unchanged bytes of each record as soon as the record is complete.
 */
export function createRecordSplitter(onRecord: (record: Buffer) => void): RecordSplitter {
  const beginning = createByteBuffer();
  let mode: SplitMode | undefined;
  let position = 0;

  function push(bytes: Buffer): void {
    mode?.push(bytes, position);
    position += bytes.length;
  }

  /** Selects the mode when the first character after white space is known. */
  function begin(): void {
    const bytes = beginning.take();
    const from = startOf(bytes);
    if (from === bytes.length) {
      position += bytes.length;
      return;
    }
    const isArray = bytes[from] === OPEN_ARRAY;
    mode = isArray ? splitArray(onRecord) : splitValueOrLines(onRecord);
    position += isArray ? from + 1 : from;
    push(bytes.subarray(isArray ? from + 1 : from));
  }

  function startOf(bytes: Buffer): number {
    const marked = position === 0 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    let at = marked ? BYTE_ORDER_MARK.length : 0;
    while (at < bytes.length && isSpace(bytes[at] as number)) at++;
    return at;
  }

  return {
    push(bytes) {
      if (mode !== undefined) return push(bytes);
      beginning.append(bytes);
      if (position > 0 || beginning.length >= BYTE_ORDER_MARK.length) begin();
    },
    end() {
      if (mode === undefined) begin();
      mode?.end(position);
    },
  };
}

/**
 * Splits a text that does not start with an array. It is one record if nothing follows its first value. It is one
 * malformed record if that value is not closed, unless another value starts on its own line. Otherwise each line is a
 * record. The first value is buffered until this is decided.
 *
 *   value ──► tail ──► lines      value is complete; something follows it
 *     └────► broken ──► lines     brackets do not match; a line begins with `{`
 */
function splitValueOrLines(onRecord: (record: Buffer) => void): SplitMode {
  const held = createByteBuffer();
  const scanner = createValueScanner();
  const lines = splitLines(onRecord);
  let state: 'value' | 'tail' | 'broken' | 'lines' = 'value';
  let afterNewline = false;
  let objectOnOwnLine = false;
  let newlineInTail = false;

  function hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    objectOnOwnLine ||= (afterNewline && bytes[0] === OPEN_OBJECT) || bytes.includes('\n{');
    afterNewline = bytes.at(-1) === NEWLINE;
    held.append(bytes);
  }

  function toLines(position: number): void {
    state = 'lines';
    lines.push(held.take(), position);
  }

  /** Consumes bytes of the first value. Returns the index after them. */
  function takeValue(bytes: Buffer): number {
    const end = scanner.scan(bytes, 0);
    if (end === BROKEN) state = 'broken';
    else if (end !== NEEDS_MORE) state = 'tail';
    const taken = end === NEEDS_MORE || end === BROKEN ? bytes.length : end;
    hold(bytes.subarray(0, taken));
    return taken;
  }

  /**
   * Consumes white space after the first value. After a line feed, more white space has no meaning and is not buffered.
   */
  function takeTail(bytes: Buffer): number {
    let end = 0;
    while (end < bytes.length && isSpace(bytes[end] as number)) end++;
    if (!newlineInTail) hold(bytes.subarray(0, end));
    newlineInTail ||= bytes.subarray(0, end).includes(NEWLINE);
    return end;
  }

  return {
    push(bytes, position) {
      let at = 0;
      if (state === 'broken') hold(bytes);
      if (state === 'value') at = takeValue(bytes);
      if (state === 'tail') {
        at += takeTail(bytes.subarray(at));
        if (at < bytes.length) toLines(position);
      }
      if (state === 'broken' && objectOnOwnLine) {
        toLines(position);
        return;
      }
      if (state === 'lines') lines.push(bytes.subarray(at), position + at);
    },
    end(position) {
      if (state === 'value' && scanner.isOpen() && objectOnOwnLine) toLines(position);
      if (state === 'lines') lines.end(position);
      else onRecord(trimmed(held.take()));
    },
  };
}
