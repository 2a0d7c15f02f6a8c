import { type EntryForm, MAX_ENTRY } from './entry-form.ts';

/** `Fri 2024-01-05 10:11:12.345678 UTC [s=…;i=…]`. The zone is only a name, so the time is read as UTC. */
const HEAD = /^\p{L}{2,5}\.? (\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})\.(\d{6}) \S{1,8} \[s=[0-9a-f]+;/u;
const FIELD = /^ {4}(_{0,2}[A-Z][A-Z0-9_]{0,63})=(.*)$/s;

/**
 * `journalctl -o verbose`: time and cursor, then one indented field per line. Continuation lines of a value are
 * indented further.
 */
export function createJournalVerbose(): EntryForm {
  let fields: Map<string, string> | undefined;
  let length = 0;
  let last: string | undefined;

  function close(out: string[]): void {
    if (fields?.has('MESSAGE') === true) out.push(JSON.stringify(Object.fromEntries(fields)));
    fields = undefined;
    last = undefined;
    length = 0;
  }

  return {
    get isOpen() {
      return fields !== undefined;
    },
    starts: (line) => HEAD.test(line),
    push(line, out) {
      const head = HEAD.exec(line);
      if (head) {
        close(out);
        const timeMs = Date.parse(`${head[1]}T${head[2]}Z`);
        fields = new Map([['__REALTIME_TIMESTAMP', String(timeMs * 1000 + Number(head[3]))]]);
        return true;
      }
      length += line.length;
      const field = FIELD.exec(line);
      const isPart =
        fields !== undefined && length <= MAX_ENTRY && (field !== null || line.startsWith('    ') || line === '');
      if (!isPart) {
        close(out);
        return false;
      }
      if (field) {
        last = field[1] as string;
        fields?.set(last, field[2] as string);
      } else if (last !== undefined) fields?.set(last, `${fields.get(last)}\n${line.trimStart()}`);
      return true;
    },
    close,
  };
}
