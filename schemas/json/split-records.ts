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
  /** Takes the next bytes of the text. Throws a `SplitError`, and what `onRecord` throws. */
  push(bytes: Buffer): void;
  /** The text is complete. Throws like `push`. */
  end(): void;
}

/**
 * Splits the records of a request body that arrives in pieces: an array of events, one event (pretty-printed or not), or one
 * event a line. Which it is follows from the first character and from where the first value ends. `onRecord` receives the bytes
 * of each record exactly as they came, as soon as its end is known.
 */
export function createRecordSplitter(onRecord: (record: Buffer) => void): RecordSplitter {
  const beginning = createByteBuffer();
  let mode: SplitMode | undefined;
  let position = 0;

  function push(bytes: Buffer): void {
    mode?.push(bytes, position);
    position += bytes.length;
  }

  /** Chooses the mode once the first character is known; until then nothing but white space has come. */
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
 * A text that begins with anything but an array. It is one record when nothing follows its first value. It is one broken record
 * when that value is not closed, unless another begins on a line of its own. Otherwise each line is a record. The first value is
 * held until this is decided.
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

  /** Returns the index after what belongs to the first value. */
  function takeValue(bytes: Buffer): number {
    const end = scanner.scan(bytes, 0);
    if (end === BROKEN) state = 'broken';
    else if (end !== NEEDS_MORE) state = 'tail';
    const taken = end === NEEDS_MORE || end === BROKEN ? bytes.length : end;
    hold(bytes.subarray(0, taken));
    return taken;
  }

  /** White space behind the first value. Once a line has ended, more of it says nothing and is not held. */
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
