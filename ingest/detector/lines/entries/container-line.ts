import type { EntryForm } from './entry-form.ts';
import { lineOfText } from './record-line.ts';

/** Maximum line length, in characters. */
const MAX_LINE = 65_536;
/**
 * Log of a container runtime (CRI): `2024-01-05T10:11:12.345678901Z stdout F text`. With P, the rest of the line
 * follows.
 */
const LINE =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})) (stdout|stderr) ([FP])(?::\S*)? /;

/** Joins lines that a container runtime split. */
export function createContainerLines(): EntryForm {
  let part: { readonly stream: string; readonly time: string; readonly text: string } | undefined;

  function close(out: string[]): void {
    if (part !== undefined) out.push(lineOfText(part.text, part));
    part = undefined;
  }

  return {
    get isOpen() {
      return part !== undefined;
    },
    starts: (line) => LINE.test(line),
    push(line, out) {
      const match = LINE.exec(line);
      if (!match || (part !== undefined && part.stream !== match[2])) {
        close(out);
        return false;
      }
      const text = (part?.text ?? '') + line.slice(match[0].length);
      part = { stream: match[2] as string, time: match[1] as string, text };
      if (match[3] === 'F' || text.length >= MAX_LINE) close(out);
      return true;
    },
    close,
  };
}
