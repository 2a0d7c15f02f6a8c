import { API_ERRORS } from '#schemas/api/error-envelope.ts';
import { REJECTIONS } from '#schemas/rejection-codes.ts';
import { cell, generatedPage, table } from './markdown.ts';

/** The page of error codes, from the catalogues in `schemas/`. */
export function errorsPage(): string {
  const api = Object.entries(API_ERRORS).map(([code, { status, title, retriable, hint }]) => [
    `\`${code}\``,
    String(status),
    retriable ? 'yes' : 'no',
    cell(title),
    cell(hint ?? ''),
  ]);
  const rejections = Object.entries(REJECTIONS).map(([code, { kind, message }]) => [
    `\`${code}\``,
    kind === 'retriable' ? 'yes' : 'no',
    cell(message),
  ]);
  return [
    generatedPage(
      'Error codes',
      'Each response that is not 2xx has a body with `issues`, `requestId` and, for some codes, `hint`. `retriable` means that the same request can succeed later without a change.',
    ),
    `## HTTP API\n\n${table(['Code', 'Status', 'Retriable', 'Meaning', 'Hint'], api)}`,
    `## Refused events\n\nA refused event becomes a dead letter with one of these codes. The pipeline tries retriable ones again first. \`other_host\` makes no dead letter: the detector keeps the event.\n\n${table(['Code', 'Retriable', 'Meaning'], rejections)}`,
  ].join('\n');
}
