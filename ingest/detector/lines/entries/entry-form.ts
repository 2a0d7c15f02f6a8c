/** Maximum entry length, in characters. A longer entry is cut there, so that memory is bounded for any file. */
export const MAX_ENTRY = 262_144;

/**
 * Assembles the entries of one form. `push` returns false for a line that does not belong to the open entry. It has
 * then closed the entry.
 */
export interface EntryForm {
  /** Returns true if an entry of this form starts with the line. */
  starts(line: string): boolean;
  readonly isOpen: boolean;
  push(line: string, out: string[]): boolean;
  /** Closes the open entry. */
  close(out: string[]): void;
}
