/** What is wrong with a definition, and where. */
export interface DefinitionIssue {
  /** Keys and indexes that lead there from the root of the document; empty for the document itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** A warning does not keep a definition from being released. */
  readonly severity: 'error' | 'warning';
  /** In the YAML, from 1; absent where the text could not be read so far. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Maximum issues in a report. */
export const MAX_ISSUES = 100;

export function problem(path: readonly (string | number)[], message: string): DefinitionIssue {
  return { path, message, severity: 'error' };
}

export function warning(path: readonly (string | number)[], message: string): DefinitionIssue {
  return { path, message, severity: 'warning' };
}

/** The keys of a JSON pointer such as `/do/0/fetch`. */
export function pathOfPointer(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
