import { type EntryForm, MAX_ENTRY } from './entry-form.ts';
import { lineOfEntry } from './record-line.ts';

/** Only brackets, or the start of an object or of an array of objects. */
const START = /^\s*(?:\{|\[\s*(?:\{|$))/;
/** Possible starts of a line of formatted JSON. */
const PART = /^\s*(?:["{}\],]|\[(?! *\d{1,9}\.\d{6}\])|-?\d|true|false|null|$)/;

/**
 * JSON over several lines: `journalctl -o json-pretty`, `dmesg --json`, and the output of log service commands. Its
 * entries are the top-level objects, or the objects of an array at any depth.
 */
export function createJsonDocument(): EntryForm {
  /** Open brackets, outermost first. */
  let stack: string[] = [];
  let inString = false;
  let escaped = false;
  /** The open entry: its depth in the stack, and its text. */
  let entry: { depth: number; text: string } | undefined;
  let started = false;

  function reset(): void {
    stack = [];
    inString = false;
    escaped = false;
    entry = undefined;
    started = false;
  }

  function finish(out: string[]): void {
    const line = entry === undefined ? null : lineOfEntry(entry.text);
    if (line !== null) out.push(line);
    entry = undefined;
  }

  /** Processes one character outside of a string. */
  function bracket(char: string, out: string[]): void {
    if (char === '{') {
      // The first object, or an object in an array, is an entry. It replaces the object around the array.
      if (entry === undefined || stack.at(-1) === '[') entry = { depth: stack.length, text: '' };
      stack.push(char);
    } else if (char === '[') stack.push(char);
    else if (char === '}' || char === ']') {
      stack.pop();
      if (entry !== undefined && stack.length === entry.depth) {
        entry.text += char;
        finish(out);
      }
    }
  }

  function scan(line: string, out: string[]): void {
    for (const char of line) {
      if (inString) {
        if (escaped) escaped = false;
        else if (char === '\\') escaped = true;
        else if (char === '"') inString = false;
      } else if (char === '"') inString = true;
      else bracket(char, out);
      if (entry !== undefined) entry.text += char;
    }
    if (entry !== undefined) entry.text += '\n';
  }

  return {
    get isOpen() {
      return started && stack.length > 0;
    },
    starts: (line) => START.test(line),
    push(line, out) {
      const broken = inString || !PART.test(line) || (entry?.text.length ?? 0) > MAX_ENTRY;
      if (broken && started) {
        reset();
        return false;
      }
      started = true;
      scan(line, out);
      if (stack.length === 0) reset();
      return true;
    },
    close: reset,
  };
}
