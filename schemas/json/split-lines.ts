import { createByteBuffer } from './byte-buffer.ts';
import { isSpace, NEWLINE, type SplitMode, trimmed } from './split-mode.ts';

/**
 * Splits text with one record per line. Blank lines are skipped without buffering. Only line feeds end a line. A
 * malformed line is passed on as a record, and its reader rejects only that line.
 */
export function splitLines(onRecord: (record: Buffer) => void): SplitMode {
  const held = createByteBuffer();
  return {
    push(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (held.length === 0 && isSpace(bytes[at] as number)) {
          at++;
          continue;
        }
        const newline = bytes.indexOf(NEWLINE, at);
        held.append(bytes.subarray(at, newline === -1 ? bytes.length : newline));
        if (newline === -1) return;
        onRecord(trimmed(held.take()));
        at = newline + 1;
      }
    },
    end() {
      if (held.length > 0) onRecord(trimmed(held.take()));
    },
  };
}
