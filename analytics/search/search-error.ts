/** A search that can't be read, or that asks for what there is not. `at` counts characters from 0. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly at: number;

  /** `advice`: what to write instead. */
  constructor(problem: string, at: number, advice?: string) {
    super(`${problem}, at character ${at + 1}${advice === undefined ? '' : `: ${advice}`}`);
    this.at = at;
  }
}
