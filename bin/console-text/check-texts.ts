import type { VisibleLiteral } from './visible-literals.ts';

interface FileLiterals {
  /** Path below `dashboards/console/src`. */
  readonly file: string;
  readonly literals: readonly VisibleLiteral[];
}

/** Problems: visible literals outside the exempt folders and files, and exempt folders and files without any. */
export function checkTexts(found: readonly FileLiterals[], exempt: readonly string[]): string[] {
  const within = (file: string, entry: string) => file === `${entry}.tsx` || file.startsWith(`${entry}/`);
  return [
    ...found
      .filter(({ file }) => !exempt.some((entry) => within(file, entry)))
      .flatMap(({ file, literals }) =>
        literals.map(
          ({ line, text }) =>
            `${file}:${line}: “${text}” is a literal in a component: move it to the text.ts of the section`,
        ),
      ),
    ...exempt
      .filter((entry) => !found.some(({ file, literals }) => within(file, entry) && literals.length > 0))
      .map((entry) => `${entry} has no literals: remove it from bin/console-text/not-converted.ts`),
  ];
}
