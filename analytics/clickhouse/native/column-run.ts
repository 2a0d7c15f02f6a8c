/**
 * Values of one column in consecutive rows, as the event decoder writes them. Views of its memory, valid until it
 * decodes further records.
 */
export type ColumnRun = TextRun | NumberRun | BytesRun;

/** Texts by number, for LowCardinality columns. */
export interface TextRun {
  readonly kind: 'texts';
  /** Number of the text of each row; 0 is null. */
  readonly numbers: Uint32Array;
  /** The numbers stand for other texts when this changes. */
  readonly generation: number;
  /** All numbers are below this. */
  readonly limit: number;
  /** Returns the value of the column for a number, not 0. */
  valueOf(number: number): string | null;
}

/** 64-bit integers with a byte per row that marks nulls, as in a Nullable column. */
export interface NumberRun {
  readonly kind: 'numbers';
  readonly nulls: Uint8Array;
  /** Eight bytes per row. */
  readonly values: Uint8Array;
}

/** Values of a fixed size in the wire format of the column. */
export interface BytesRun {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

/** Returns true if a row has a value. */
export function hasValue(run: ColumnRun): boolean {
  if (run.kind === 'bytes') return true;
  if (run.kind === 'numbers') return run.nulls.includes(0);
  const { numbers } = run;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number;
    if (number !== 0 && run.valueOf(number) !== null) return true;
  }
  return false;
}
