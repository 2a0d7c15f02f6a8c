import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { type ChunksOf, chunksOf } from './loaded-chunks.ts';

const FONT = /inter-latin-wght-normal-[\w-]+\.woff2$/;
/** Modules of pages by the path that `early.js` uses. `/` is the frame of every page with a session. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  '/': ['routes/_signed-in.tsx'],
  '/detections': ['routes/_signed-in.tsx', 'routes/_signed-in/detections/index.tsx'],
  '/sign-in': ['routes/sign-in.tsx'],
};
const ROOT = '    <div id="root">';
const STYLESHEET = /^ *<link rel="stylesheet"[^>]*>\n?/gm;

/**
 * Lets browsers paint before the console is loaded. Moves the style sheet into the body, before the root element.
 * Content above it is then painted without waiting for it, and scripts still wait. Styles that the component library
 * adds to the root come after it. `script` becomes a separate file that runs first. It gets the names of the files that
 * it fetches: the font, and the files of the first pages that are loaded after the module `start`.
 */
export function firstPaint(script: string, start: string): Plugin {
  return {
    name: 'first-paint',
    apply: 'build',
    async buildStart() {
      this.emitFile({ type: 'asset', name: 'early.js', source: await readFile(script, 'utf8') });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.keys(bundle);
        const early = fileOf(files, /early-[\w-]+\.js$/);
        const font = `/${fileOf(files, FONT)}`;
        const chunks = chunksOf(bundle);
        const pages = Object.fromEntries(
          Object.entries(PAGES).map(([path, modules]) => [path, filesOfPage(chunks, modules, start)]),
        );
        const sheets = html.match(STYLESHEET) ?? [];
        if (sheets.length === 0 || !html.includes(ROOT)) throw new Error('the page has no style sheet, or no root');
        return {
          html: html.replaceAll(STYLESHEET, '').replace(ROOT, () => `${sheets.join('')}${ROOT}`),
          tags: [
            {
              tag: 'script',
              attrs: { src: `/${early}`, 'data-files': JSON.stringify({ font, pages }) },
              injectTo: 'head-prepend',
            },
          ],
        };
      },
    },
  };
}

/** Returns the URLs of the files that a page needs in addition to those of `start`. */
function filesOfPage(chunks: ChunksOf, modules: readonly string[], start: string): string[] {
  const atOnce = chunks.loadedWith([chunks.fileWith(start), ...chunks.entries]);
  return chunks
    .loadedWith(modules.map((module) => chunks.fileWith(`${module}?tsr-split=component`)))
    .filter((name) => !atOnce.includes(name))
    .map((name) => `/${name}`);
}

function fileOf(files: readonly string[], pattern: RegExp): string {
  const found = files.find((file) => pattern.test(file));
  if (found === undefined) throw new Error(`no file of the build matches ${pattern}`);
  return found;
}
