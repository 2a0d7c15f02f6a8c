import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../platform/mail/escape-html.ts';

/** What a person is told in the browser. No script and no style: the content security policy of all answers holds here too. */
export interface Page {
  readonly title: string;
  /** Plain text, a paragraph each. */
  readonly text: readonly string[];
  /** Stands by itself, to be copied. */
  readonly secret?: string;
  readonly link: { readonly href: string; readonly text: string };
}

/** People come by navigation, which asks for HTML; programs get JSON. */
export function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') ?? false;
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(render(page));
}

function render({ title, text, secret, link }: Page): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>`,
    '<body>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...text.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(secret === undefined ? [] : [`<pre><code>${escapeHtml(secret)}</code></pre>`]),
    `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
