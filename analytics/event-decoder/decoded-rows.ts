import type { BytesRun, ColumnRun, NumberRun, TextRun } from '../clickhouse/native/column-run.ts';
import { NUMBER_COLUMNS, STORED_TEXT, TEXT_COLUMNS } from './column-plan.ts';
import type { DecoderModule } from './open-module.ts';

/** The columns of decoded events, in the memory of the module. */
export interface DecodedRows {
  /**
   * Returns the values of a column in the rows `from` to `to`. Undefined if all are null. Valid until the decoder moves
   * to other records.
   */
  columnOf(name: string, from: number, to: number): ColumnRun | undefined;
  /** Registers the only reader that has not copied its rows. `copy` is called before the rows are overwritten. */
  onMove(copy: () => void): void;
}

interface OwnedRows extends DecodedRows {
  /** Lets the reader copy its rows. */
  copyOut(): void;
  /** The numbers of names stand for other names from now on. */
  renumber(): void;
}

/** Creates the columns of a module. `names`: texts by number. */
export function createDecodedRows(module: DecoderModule, names: readonly string[]): OwnedRows {
  const { MAX_ROWS, MAX_NAMES, nullBytes, numberBytes, textNumbers, timeBytes } = module;
  let generation = 0;
  let copy: (() => void) | undefined;

  function texts(column: number, name: string, from: number, to: number): TextRun {
    const stored = STORED_TEXT[name];
    const at = column * MAX_ROWS;
    return {
      kind: 'texts',
      numbers: textNumbers.subarray(at + from, at + to),
      generation,
      limit: MAX_NAMES,
      valueOf: (number) => {
        const text = names[number] as string;
        return stored === undefined ? text : stored(text);
      },
    };
  }

  function numbers(column: number, from: number, to: number): NumberRun {
    const at = column * MAX_ROWS;
    return {
      kind: 'numbers',
      nulls: nullBytes.subarray(at + from, at + to),
      values: numberBytes.subarray(8 * (at + from), 8 * (at + to)),
    };
  }

  const times = (from: number, to: number): BytesRun => ({
    kind: 'bytes',
    bytes: timeBytes.subarray(8 * from, 8 * to),
  });

  return {
    columnOf(name, from, to) {
      if (name === 'timestamp') return times(from, to);
      const text = (TEXT_COLUMNS as readonly string[]).indexOf(name);
      if (text >= 0) return texts(text, name, from, to);
      const number = (NUMBER_COLUMNS as readonly string[]).indexOf(name);
      return number < 0 ? undefined : numbers(number, from, to);
    },
    onMove(reader) {
      if (copy !== reader) copy?.();
      copy = reader;
    },
    copyOut() {
      copy?.();
      copy = undefined;
    },
    renumber() {
      generation += 1;
    },
  };
}
