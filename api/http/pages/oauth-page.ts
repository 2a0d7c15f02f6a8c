import type { FastifyReply } from 'fastify';
import { escapeHtml } from './escape-html.ts';
import { htmlPage } from './html-page.ts';

/** A browser page for a person. It has no script; style and images are files of this server. */
export interface Page {
  readonly title: string;
  /** Plain text, one entry per paragraph. */
  readonly text: readonly string[];
  /** Shown separately, for copying. */
  readonly secret?: string;
  /** Links to the next steps. The first is the most common. */
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(render(page));
}

function render({ title, text, secret, links }: Page): string {
  return htmlPage(title, [
    ...text.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(secret === undefined ? [] : [`<pre><code>${escapeHtml(secret)}</code></pre>`]),
    `<p>${links.map((link) => `<a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a>`).join(' ')}</p>`,
  ]);
}
