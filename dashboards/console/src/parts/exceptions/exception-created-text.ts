import type { Answer } from '../../api/client.ts';
import { PARTS_TEXT } from '../text.ts';

/** Returns the effect of a new exception as text, for the analyst who created it. */
export function exceptionCreatedText({ silenced }: Pick<Answer<'post', '/api/exceptions'>, 'silenced'>): string {
  return PARTS_TEXT.exceptions.created(silenced);
}
