/** Collects the values of one column of one block. */
export interface ColumnEncoder<Value> {
  add(value: Value): void;
  /**
   * Adds the value of each row. Types that most columns have bring a loop of their own: one that is shared by all columns calls whatever
   * type comes, and the engine can't inline that.
   */
  addAll?<Row>(rows: readonly Row[], of: (row: Row) => Value): void;
  readonly bytes: number;
  /** The column's data as the Native format has it after name and type, in pieces. Repeatable. */
  data(): Iterable<Buffer>;
  /** Forgets the values and keeps the memory for others. Nothing that `data` gave may be in use any more. */
  clear(): void;
}

/** A ClickHouse type, and how a column of it is written in the Native format. */
export interface WireType<Value> {
  readonly name: string;
  /** Nulls are values of the type: the server takes them for a column that a block leaves out. */
  readonly isNullable?: true;
  open(): ColumnEncoder<Value>;
}
