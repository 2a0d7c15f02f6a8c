import { createContainerLines } from './container-line.ts';
import { createCoreDumpText } from './core-dump-text.ts';
import type { EntryForm } from './entry-form.ts';
import { createJournalExport } from './journal-export.ts';
import { createJournalVerbose } from './journal-verbose.ts';
import { createJsonDocument } from './json-document.ts';
import { lineOfRecord, lineOfTaggedRecord } from './record-line.ts';

/**
 * Converts lines of a file to log lines. Most lines are log lines already. Some are part of an entry: export and
 * verbose forms of the journal, formatted JSON, lines split by a container runtime. Some are a record of a log collector
 * that contains a log line.
 */
export interface EntryAssembler {
  /** Returns the log lines that are complete with this line. */
  push(line: string): readonly string[];
  /** Returns the log line that is still open, at the end of the input. */
  flush(): readonly string[];
}

const NONE: readonly string[] = [];
const ESCAPE = '\u001b';
/** Colours of `dmesg --color=always` and of the journal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour starts with the control character ESC.
const COLOUR = /\u001b\[[0-9;]*[mK]/g;
/** Prefix of an entry of `journalctl -o json-seq` and `-o json-sse`. */
const EVENT_DATA = /^data: (?=\{)/;
const RECORD_SEPARATOR = 30;
/** A record of /dev/kmsg, which is never part of another form. */
const KMSG = /^\d{1,4},\d{1,16},\d{1,16},/;
/** A console line with an uptime, as opposed to a JSON array. */
const UPTIME_FOLLOWS = /^\[ *[^\s{]/;

/** Creates an assembler without open entries. Long: its functions share the open entry. */
export function createEntryAssembler(): EntryAssembler {
  const coreDump = createCoreDumpText();
  const forms: readonly EntryForm[] = [
    createJournalExport(),
    createJournalVerbose(),
    createJsonDocument(),
    createContainerLines(),
    coreDump,
  ];
  let open: EntryForm | undefined;
  let isFirst = true;

  function begin(line: string): readonly string[] {
    const first = line.charCodeAt(0);
    if (
      (first >= 48 && first <= 57 && KMSG.test(line)) ||
      (first === 91 && UPTIME_FOLLOWS.test(line) && !coreDump.starts(line))
    )
      return [line];
    const record = lineOfRecord(line) ?? lineOfTaggedRecord(line);
    if (record !== null) return [record];
    const form = forms.find((candidate) => candidate.starts(line));
    if (form === undefined) return [line];
    const out: string[] = [];
    form.push(line, out);
    open = form.isOpen ? form : undefined;
    return out;
  }

  function clean(raw: string): string {
    let line = raw;
    if (isFirst) {
      isFirst = false;
      line = line.replace(/^\ufeff/, '');
    }
    if (line.includes(ESCAPE)) line = line.replace(COLOUR, '');
    const first = line.charCodeAt(0);
    return first === RECORD_SEPARATOR ? line.slice(1) : line.replace(EVENT_DATA, '');
  }

  return {
    push(raw) {
      const line = clean(raw);
      if (open === undefined) return begin(line);
      const out: string[] = [];
      const isPart = open.push(line, out);
      if (!open.isOpen) open = undefined;
      return isPart ? out : [...out, ...begin(line)];
    },
    flush() {
      if (open === undefined) return NONE;
      const out: string[] = [];
      open.close(out);
      open = undefined;
      return out;
    },
  };
}
