import type { EntryForm } from './entry-form.ts';

/** Maximum message length, in characters. */
const MAX_MESSAGE = 65_536;
const HEAD = /(?:^| )systemd-coredump\[\d{1,10}\]: .{0,8}Process \d{1,10} \(.{1,15}\) of user \d{1,10} dumped core\.$/;
/**
 * The journal indents continuation lines to the text of the first line. In the kernel log, each line has its own tag.
 */
const CONTINUATION = /^(?:\s|$|#\d+ |Stack trace of|Module |Found module|ELF object|Coredump diverted)/;
const TAG = /^.{0,80} systemd-coredump\[\d{1,10}\]: (?!.{0,8}Process )/;

/** Joins the lines of a systemd-coredump message. Writes line ends as `#012`, as syslog daemons do. */
export function createCoreDumpText(): EntryForm {
  let text: string | undefined;

  function close(out: string[]): void {
    if (text !== undefined) out.push(text);
    text = undefined;
  }

  return {
    get isOpen() {
      return text !== undefined;
    },
    starts: (line) => line.endsWith(' dumped core.') && HEAD.test(line),
    push(line, out) {
      if (text === undefined) {
        text = line;
        return true;
      }
      const more = line.replace(TAG, '');
      if (!CONTINUATION.test(more) || text.length > MAX_MESSAGE) {
        close(out);
        return false;
      }
      text += `#012${more.trim()}`;
      return true;
    },
    close,
  };
}
