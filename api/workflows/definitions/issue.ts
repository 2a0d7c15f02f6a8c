/** A problem of a definition, and its path. */
export interface DefinitionIssue {
  /** Keys and indexes from the root of the document; empty for the document itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** A warning does not prevent a release. */
  readonly severity: 'error' | 'warning';
  /** Position in the YAML, from 1. Absent if the text could not be parsed up to there. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Maximum number of issues in a report. */
export const MAX_ISSUES = 100;

export function problem(path: readonly (string | number)[], message: string): DefinitionIssue {
  return { path, message, severity: 'error' };
}

export function warning(path: readonly (string | number)[], message: string): DefinitionIssue {
  return { path, message, severity: 'warning' };
}

/** Returns the keys of a JSON pointer such as `/do/0/fetch`. */
export function pathOfPointer(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
