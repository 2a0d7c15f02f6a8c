/** A field that can be searched for, and what ClickHouse has for it. */
export interface SearchField {
  /** SQL of the column. */
  readonly column: string;
  readonly type:
    | 'name'
    /** Unsigned, decimal or hexadecimal. */
    | 'number'
    | 'time'
    /** A list of texts: any of them. */
    | 'list'
    /** Text that people read: part of it, upper or lower case. */
    | 'text'
    | readonly string[];
  readonly nullable?: true;
}

/** What one kind of record can be searched for. */
export interface SearchFields {
  readonly fields: Readonly<Record<string, SearchField>>;
  /** Where text without a field is looked for. */
  readonly text: readonly string[];
  /** There is an index of the words of these columns: text is looked for by whole words. */
  readonly byWords?: true;
}
