import type { ColumnRun } from './column-run.ts';

/** Collects the values of one column of a block. */
export interface ColumnEncoder<Value> {
  add(value: Value): void;
  /**
   * Adds the value of each row. Frequent types have their own loop: in a loop shared by all types, the call is
   * polymorphic and the engine cannot inline it.
   */
  addAll?<Row>(rows: readonly Row[], of: (row: Row) => Value): void;
  /**
   * Adds the values of consecutive rows that are encoded already. Present if the type supports the kind of run that a
   * decoder writes for its columns.
   */
  addRun?(run: ColumnRun): void;
  readonly bytes: number;
  /** Returns the column's data in the Native format, without name and type, in pieces. Repeatable. */
  data(): Iterable<Buffer>;
  /** Removes the values and keeps the memory. No result of `data` may be in use any more. */
  clear(): void;
}

/** A ClickHouse type with its encoding in the Native format. */
export interface WireType<Value> {
  readonly name: string;
  /** True if null is a value of the type. The server stores nulls for a column that a block omits. */
  readonly isNullable?: true;
  open(): ColumnEncoder<Value>;
}
