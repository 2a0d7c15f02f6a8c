import type { Answer } from '../api/client.ts';
import { counted } from './counted.ts';

/** What a new exception did, for the analyst who created it. */
export function exceptionCreatedText({ silenced }: Pick<Answer<'post', '/api/exceptions'>, 'silenced'>): string {
  if (silenced === null) return 'Exception created. Matching open detections are silenced within seconds.';
  if (silenced === 0) return 'Exception created. No open detection matches it.';
  return `Exception created. ${counted(silenced, 'open detection was', 'open detections were')} silenced.`;
}
