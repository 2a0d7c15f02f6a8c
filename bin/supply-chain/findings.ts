/** Results of a supply-chain check. Failures fail `npm run check`; warnings and notes are printed. */
export interface Findings {
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

export function merge(...all: readonly Findings[]): Findings {
  return {
    failures: all.flatMap(({ failures }) => failures),
    warnings: all.flatMap(({ warnings }) => warnings),
    notes: all.flatMap(({ notes }) => notes),
  };
}
