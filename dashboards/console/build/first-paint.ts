import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const FONT = /inter-latin-wght-normal-[\w-]+\.woff2$/;
const ROOT = '    <div id="root">';
const STYLESHEET = /^ *<link rel="stylesheet"[^>]*>\n?/gm;

/**
 * Lets browsers paint before the console is loaded. The style sheet moves into the body, before the root: what is above it in the page does not wait
 * for it, scripts do, and the styles that the component library adds to the root come after it. `script` becomes a file of its own that runs first; the font of the first page is fetched early.
 */
export function firstPaint(script: string): Plugin {
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
        const font = fileOf(files, FONT);
        const sheets = html.match(STYLESHEET) ?? [];
        if (sheets.length === 0 || !html.includes(ROOT)) throw new Error('the page has no style sheet, or no root');
        return {
          html: html.replaceAll(STYLESHEET, '').replace(ROOT, () => `${sheets.join('')}${ROOT}`),
          tags: [
            { tag: 'script', attrs: { src: `/${early}` }, injectTo: 'head-prepend' },
            {
              tag: 'link',
              attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` },
              injectTo: 'head',
            },
          ],
        };
      },
    },
  };
}

function fileOf(files: readonly string[], pattern: RegExp): string {
  const found = files.find((file) => pattern.test(file));
  if (found === undefined) throw new Error(`no file of the build matches ${pattern}`);
  return found;
}
