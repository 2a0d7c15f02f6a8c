import type { FastifyReply } from 'fastify';
import { escapeHtml } from './escape-html.ts';
import { htmlPage } from './html-page.ts';
import { type InEachLanguage, type PageLanguage, pageLanguage } from './page-language.ts';

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

/** Sends the page in the language of the browser. */
export function sendPage(reply: FastifyReply, page: InEachLanguage<Page>): FastifyReply {
  const language = pageLanguage(reply.request);
  return reply
    .header('content-security-policy', POLICY)
    .type('text/html; charset=utf-8')
    .send(render(language, page[language]));
}

function render(language: PageLanguage, { title, text, secret, links }: Page): string {
  return htmlPage(language, title, [
    ...text.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(secret === undefined ? [] : [`<pre><code>${escapeHtml(secret)}</code></pre>`]),
    `<p>${links.map((link) => `<a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a>`).join(' ')}</p>`,
  ]);
}
