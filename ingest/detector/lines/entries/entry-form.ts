/** Assembles the entries of one form. `push` returns false for a line that does not belong to the open entry, which it has then closed. */
export interface EntryForm {
  /** Whether an entry of this form starts with the line. */
  starts(line: string): boolean;
  readonly isOpen: boolean;
  push(line: string, out: string[]): boolean;
  /** Closes the open entry. */
  close(out: string[]): void;
}
