export const OPERATORS = ['=', '!=', '>', '>=', '<', '<='] as const;
export type Operator = (typeof OPERATORS)[number];

/** A value. In quotes, it is literal. Otherwise, `*` matches any text and `?` any one character. */
export interface SearchValue {
  readonly text: string;
  readonly quoted: boolean;
  /** Position at which it begins. */
  readonly at: number;
}

/** The parsed search. Fields are not resolved yet. */
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
