import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from './escape-html.ts';
import { PAGE_STYLE } from './page-style.ts';

/** A page that has the browser post a form to another site. Without scripts the person presses the button. */
export interface PostFormPage {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const SCRIPT = 'document.forms[0].submit()';
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');
/** Only this script runs. Where the form goes is not restricted: the other site may redirect to any address, which browsers hold against `form-action`. */
const POLICY = `default-src 'none'; style-src 'self'; img-src 'self'; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'; frame-ancestors 'none'`;

/** Sends the page. The action must be an address of the configuration. */
export function sendPostForm(reply: FastifyReply, page: PostFormPage): FastifyReply {
  return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(render(page));
}

function render({ title, text, button, action, fields }: PostFormPage): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)} – Trapline</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="${PAGE_STYLE}"></head>`,
    '<body>',
    '<main>',
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(text)}</p>`,
    `<form method="post" action="${escapeHtml(action)}">`,
    ...Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    ),
    `<button type="submit">${escapeHtml(button)}</button>`,
    '</form>',
    '</main>',
    `<script>${SCRIPT}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
