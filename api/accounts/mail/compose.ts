import { escapeHtml } from '#api/http/pages/escape-html.ts';
import type { Mail } from './port.ts';

/** A part of a mail. */
export type Paragraph =
  | string
  /** Shown in large type, for reading and typing. */
  | { readonly code: string }
  /** A button in HTML, the URL in text. */
  | { readonly link: string; readonly label: string };

/** Renders the same paragraphs as text and as HTML. External values are escaped. */
export function composeMail(to: string, subject: string, paragraphs: readonly Paragraph[]): Mail {
  return {
    to,
    subject,
    text: `${paragraphs.map(textOf).join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
      '<body style="font-family: sans-serif; font-size: 16px; line-height: 1.5; color: #1b1f24">',
      ...paragraphs.map((paragraph) => `<p>${htmlOf(paragraph)}</p>`),
      '</body></html>',
      '',
    ].join('\n'),
  };
}

function textOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph;
  return 'code' in paragraph ? paragraph.code : paragraph.link;
}

function htmlOf(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return escapeHtml(paragraph);
  if ('code' in paragraph)
    return `<strong style="font-size: 28px; letter-spacing: 4px">${escapeHtml(paragraph.code)}</strong>`;
  const link = escapeHtml(paragraph.link);
  return `<a href="${link}" style="font-weight: bold">${escapeHtml(paragraph.label)}</a><br><small>${link}</small>`;
}
