/** Formats in the browser's locale, which may differ from the language that the user chose. */
const UNLOCALISED = /\.toLocale(?:Date|Time)?String\(\)|\bIntl\.\w+Format\((?:undefined\b|'|\)(?!\.resolvedOptions))/;

/** Returns one problem for each line that formats a number or a time without the locale of the console. */
export function unlocalisedFormats(file: string, source: string): string[] {
  return source
    .split('\n')
    .flatMap((line, index) =>
      UNLOCALISED.test(line)
        ? [
            `${file}:${index + 1}: format with numberText() or locale() of language/numbers.ts, or a function of parts/time/time-words.ts`,
          ]
        : [],
    );
}
