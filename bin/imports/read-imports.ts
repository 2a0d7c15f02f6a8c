import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';

export interface Import {
  /** As written in the source. */
  readonly specifier: string;
  /** Path of the imported file below the root; undefined for a package. */
  readonly file: string | undefined;
  readonly line: number;
}

/**
 * Returns the imports of a file, including type imports and `import('…')`. `file` is relative to `root`. Throws if the
 * source cannot be parsed.
 */
export function readImports(root: string, file: string): Import[] {
  const source = readFileSync(join(root, file), 'utf8');
  const { module, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} cannot be parsed: ${error.message}`);
  const found = [
    ...module.staticImports.map(({ moduleRequest: { value, start } }) => ({ value, start })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest])),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const text = /^(['"])(.*)\1$/.exec(source.slice(start, end))?.[2];
      return text === undefined ? [] : [{ value: text, start }];
    }),
  ];
  return found.map(({ value, start }) => ({
    specifier: value,
    file: fileOf(file, value),
    line: source.slice(0, start).split('\n').length,
  }));
}

/**
 * Project imports name a file with its extension: `#folder/…` from the root, `./…` and `../…` from the importing file.
 */
function fileOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : undefined;
}
