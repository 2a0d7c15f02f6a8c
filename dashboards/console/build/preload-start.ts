import type { Plugin } from 'vite';
import { chunksOf } from './loaded-chunks.ts';

/**
 * Adds preload links for the files that `module` needs, so that browsers load them together with the entry. Fails if
 * the entry imports them statically, because they would run before the language is known.
 */
export function preloadStart(module: string): Plugin {
  return {
    name: 'preload-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = chunksOf(bundle);
        const start = chunks.fileWith(module);
        const atOnce = chunks.loadedWith(chunks.entries);
        if (atOnce.includes(start))
          throw new Error(`${module} must be in a file that the entry loads after the language`);
        return chunks
          .loadedWith([start])
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
