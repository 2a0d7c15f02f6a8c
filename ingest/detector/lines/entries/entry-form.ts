/** Longest entry kept, in characters: one that is longer ends there, so that a file of any content takes bounded memory. */
export const MAX_ENTRY = 262_144;

/** Assembles the entries of one form. `push` returns false for a line that does not belong to the open entry, which it has then closed. */
export interface EntryForm {
  /** Whether an entry of this form starts with the line. */
  starts(line: string): boolean;
  readonly isOpen: boolean;
  push(line: string, out: string[]): boolean;
  /** Closes the open entry. */
  close(out: string[]): void;
}
