import { escapeHtml } from './escape-html.ts';
import type { PageLanguage } from './page-language.ts';
import { PAGE_STYLE } from './page-style.ts';

/**
 * Returns an HTML document in the style of Trapline. `main` and `end` are HTML, so their text must be escaped. `end`
 * follows the visible part.
 */
export function htmlPage(
  language: PageLanguage,
  title: string,
  main: readonly string[],
  end: readonly string[] = [],
): string {
  return [
    '<!doctype html>',
    `<html lang="${language}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)} – Trapline</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="${PAGE_STYLE}"></head>`,
    '<body>',
    '<main>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...main,
    '</main>',
    ...end,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
