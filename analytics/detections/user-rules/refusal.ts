/** The reason why a rule file is rejected, with its position. */
export interface Refusal {
  /** From 1. */
  readonly line: number;
  /**
   * Path in the file, for example `detection.selection.ip|contains`. With several documents,
   * `[2].correlation.timespan`.
   */
  readonly path: string;
  readonly message: string;
}

/** A problem that stops parsing of the part that contains it. */
export class RefusedRule extends Error {
  override readonly name = 'RefusedRule';
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`line ${refusal.line}: ${refusal.path}: ${refusal.message}`);
    this.refusal = refusal;
  }
}

/** A refusal as one line of text. */
export function refusalText({ line, path, message }: Refusal): string {
  return `line ${line}: ${path}: ${message}`;
}
