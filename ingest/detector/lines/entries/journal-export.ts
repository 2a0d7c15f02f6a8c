import { type EntryForm, MAX_ENTRY } from './entry-form.ts';

const FIELD = /^(_{0,2}[A-Z][A-Z0-9_]{0,63})=/;
const BINARY = /^_{0,2}[A-Z][A-Z0-9_]{0,63}$/;

/**
 * `journalctl -o export`: `NAME=value` lines, and an empty line after each entry. A value with line ends follows after
 * its name on a line of its own and its length in eight bytes. These bytes may contain a line end or invalid UTF-8, so
 * the value is read up to the next field instead.
 */
export function createJournalExport(): EntryForm {
  let fields: Map<string, string> | undefined;
  let length = 0;
  /** Name and lines of the open value with line ends. */
  let binary: { readonly name: string; readonly lines: string[] } | undefined;

  function closeBinary(): void {
    if (binary !== undefined) fields?.set(binary.name, withoutLength(binary.lines.join('\n')));
    binary = undefined;
  }

  function close(out: string[]): void {
    closeBinary();
    if (fields !== undefined && fields.size > 0) out.push(JSON.stringify(Object.fromEntries(fields)));
    fields = undefined;
    length = 0;
  }

  return {
    get isOpen() {
      return fields !== undefined;
    },
    starts: (line) => line.startsWith('__CURSOR=') || line.startsWith('__REALTIME_TIMESTAMP='),
    push(line, out) {
      length += line.length;
      if (length > MAX_ENTRY || (line.startsWith('__CURSOR=') && fields?.has('__CURSOR') === true)) {
        close(out);
        return false;
      }
      fields ??= new Map();
      const field = FIELD.exec(line);
      if (field) {
        closeBinary();
        fields.set(field[1] as string, line.slice(field[0].length));
      } else if (BINARY.test(line)) {
        closeBinary();
        binary = { name: line, lines: [] };
      } else if (binary !== undefined) binary.lines.push(line);
      else close(out);
      return true;
    },
    close,
  };
}

/** The eight bytes of the length end with zeros. The line end after the value is not part of it. */
function withoutLength(text: string): string {
  return text.slice(text.lastIndexOf('\0', 12) + 1).replace(/\n+$/, '');
}
