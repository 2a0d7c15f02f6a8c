import type { Plugin } from 'vite';

/**
 * Adds the files that `module` needs next to the page, so that browsers load them together with the entry and not after it. Fails if
 * the entry imports them statically: they would run before the language is known.
 */
export function preloadStart(module: string): Plugin {
  return {
    name: 'preload-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
        const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
        const loadedBy = (names: readonly string[]): string[] => {
          const files = new Set(names);
          for (const name of files) for (const imported of importsOf.get(name) ?? []) files.add(imported);
          return [...files];
        };
        const namesOf = (wanted: (chunk: (typeof chunks)[number]) => boolean) =>
          chunks.filter(wanted).map(({ fileName }) => fileName);
        const start = namesOf(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
        const atOnce = loadedBy(namesOf(({ isEntry }) => isEntry));
        if (start.length !== 1 || start.some((name) => atOnce.includes(name)))
          throw new Error(`${module} must be in one file, which the entry loads after the language`);
        return loadedBy(start)
          .filter((name) => !atOnce.includes(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
            injectTo: 'head' as const,
          }));
      },
    },
  };
}
