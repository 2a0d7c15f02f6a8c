import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from './escape-html.ts';
import { htmlPage } from './html-page.ts';
import { type InEachLanguage, type PageLanguage, pageLanguage } from './page-language.ts';

/** A page from which the browser posts a form to another site. Without scripts the user clicks the button. */
export interface PostFormPage {
  readonly texts: InEachLanguage<{ readonly title: string; readonly text: string; readonly button: string }>;
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const SCRIPT = 'document.forms[0].submit()';
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');
/**
 * Allows only this script. `form-action` is not restricted: the other site may redirect to any address, and browsers
 * apply `form-action` to redirects.
 */
const POLICY = `default-src 'none'; style-src 'self'; img-src 'self'; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'; frame-ancestors 'none'`;

/** Sends the page. The action must be an address from the configuration. */
export function sendPostForm(reply: FastifyReply, page: PostFormPage): FastifyReply {
  const language = pageLanguage(reply.request);
  return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(render(language, page));
}

function render(language: PageLanguage, { texts, action, fields }: PostFormPage): string {
  const { title, text, button } = texts[language];
  const main = [
    `<p>${escapeHtml(text)}</p>`,
    `<form method="post" action="${escapeHtml(action)}">`,
    ...Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    ),
    `<button type="submit">${escapeHtml(button)}</button>`,
    '</form>',
  ];
  return htmlPage(language, title, main, [`<script>${SCRIPT}</script>`]);
}
