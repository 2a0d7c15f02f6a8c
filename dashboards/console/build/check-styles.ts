import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Class names of the component library, as its scripts contain them. */
const CLASS = /\bm_[0-9a-f]{5,8}\b/g;
const ALL_STYLES = fileURLToPath(import.meta.resolve('@mantine/core/styles.css'));

/**
 * Fails the build if the console uses a component of the library without importing its styles. The component would be
 * shown unstyled.
 */
export function checkStyles(): Plugin {
  return {
    name: 'check-styles',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const scripts = classesIn(files.map((file) => (file.type === 'chunk' ? file.code : '')));
      const sheets = classesIn(files.map((file) => (file.fileName.endsWith('.css') ? textOf(file) : '')));
      const missing = [...classesIn([await readFile(ALL_STYLES, 'utf8')])].filter(
        (name) => scripts.has(name) && !sheets.has(name),
      );
      if (missing.length > 0)
        throw new Error(
          `styles of the component library are missing in src/app/component-styles.css; find the files: grep -lE '${missing.join('|')}' node_modules/@mantine/core/styles/*.layer.css`,
        );
    },
  };
}

function textOf(file: { readonly type: 'asset' | 'chunk'; readonly source?: string | Uint8Array }): string {
  return typeof file.source === 'string' ? file.source : new TextDecoder().decode(file.source);
}

function classesIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.match(CLASS) ?? []));
}
