/** Why a rule file is refused, and where. */
export interface Refusal {
  /** From 1. */
  readonly line: number;
  /** In the file, e.g. `detection.selection.ip|contains`; of several documents, `[2].correlation.timespan`. */
  readonly path: string;
  readonly message: string;
}

/** One problem that ends the reading of the part it is in. */
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
