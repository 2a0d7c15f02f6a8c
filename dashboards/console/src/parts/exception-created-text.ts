import type { Answer } from '../api/client.ts';
import { PARTS_TEXT } from './text.ts';

/** What a new exception did, for the analyst who created it. */
export function exceptionCreatedText({ silenced }: Pick<Answer<'post', '/api/exceptions'>, 'silenced'>): string {
  return PARTS_TEXT.exceptions.created(silenced);
}
