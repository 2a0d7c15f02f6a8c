import { readdirSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Writes `sections.json`: the first path segments of the pages in `routes`, for which the server returns the console. A
 * file `a.tsx` or a folder `a` is the section `a`. Names that begin with an underscore have no segment.
 */
export function listSections(routes: string): Plugin {
  return {
    name: 'list-sections',
    apply: 'build',
    generateBundle() {
      const names = [...readdirSync(routes), ...readdirSync(`${routes}/_signed-in`)].map((name) =>
        name.replace(/\.tsx$/, ''),
      );
      const sections = [...new Set(names)].filter((name) => !name.startsWith('_') && name !== 'index').sort();
      this.emitFile({ type: 'asset', fileName: 'sections.json', source: JSON.stringify(sections) });
    },
  };
}
