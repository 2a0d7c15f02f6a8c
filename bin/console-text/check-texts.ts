import type { VisibleLiteral } from './visible-literals.ts';

interface FileLiterals {
  /** Path below `dashboards/console/src`. */
  readonly file: string;
  readonly literals: readonly VisibleLiteral[];
}

/** Returns one problem for each visible literal. */
export function checkTexts(found: readonly FileLiterals[]): string[] {
  return found.flatMap(({ file, literals }) =>
    literals.map(
      ({ line, text }) =>
        `${file}:${line}: “${text}” is a literal in a component: move it to the text.ts of the section`,
    ),
  );
}
