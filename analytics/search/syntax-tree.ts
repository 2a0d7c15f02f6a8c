export const OPERATORS = ['=', '!=', '>', '>=', '<', '<='] as const;
export type Operator = (typeof OPERATORS)[number];

/** A value as it stands: in quotes it is what it is, without `*` and `?` stand for any text and any one character. */
export interface SearchValue {
  readonly text: string;
  readonly quoted: boolean;
  /** Where it begins. */
  readonly at: number;
}

/** What a search means. Fields are not looked up yet. */
export type SearchNode =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly SearchNode[] }
  | { readonly kind: 'not'; readonly part: SearchNode }
  | { readonly kind: 'text'; readonly value: SearchValue }
  | {
      readonly kind: 'field';
      readonly field: string;
      readonly operator: Operator;
      readonly value: SearchValue;
      readonly at: number;
    };
