/** A searchable field and its SQL. */
export interface SearchField {
  /** SQL of the column. */
  readonly column: string;
  readonly type:
    | 'name'
    /** Unsigned, decimal or hexadecimal. */
    | 'number'
    | 'time'
    /** A list of strings, any of which can match. */
    | 'list'
    /** Text for people: matches a part of it, case-insensitively. */
    | 'text'
    | readonly string[];
  readonly nullable?: true;
}

/** The searchable fields of one kind of record. */
export interface SearchFields {
  readonly fields: Readonly<Record<string, SearchField>>;
  /** Columns in which text without a field is searched. */
  readonly text: readonly string[];
  /** True if these columns have a word index: text is searched by whole words. */
  readonly byWords?: true;
}
