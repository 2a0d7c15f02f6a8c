/**
 * A search that cannot be parsed, or that uses something that does not exist. `at` is the character position, from 0.
 */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly at: number;

  /** `advice`: what to write instead. */
  constructor(problem: string, at: number, advice?: string) {
    super(`${problem}, at character ${at + 1}${advice === undefined ? '' : `: ${advice}`}`);
    this.at = at;
  }
}
