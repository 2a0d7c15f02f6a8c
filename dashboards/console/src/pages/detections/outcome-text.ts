import type { Answer } from '../../api/client.ts';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.outcome;

type Outcome = Answer<'post', '/api/detections/bulk'>['results'][number]['outcome'];

/** Returns the result of a bulk change as text. */
export function outcomeText(results: readonly { readonly outcome: Outcome }[]): string {
  const count = (wanted: Outcome) => results.filter(({ outcome }) => outcome === wanted).length;
  const [unchanged, notFound, skipped] = [count('unchanged'), count('not_found'), count('changed_meanwhile')];
  return [
    TEXT.updated(count('updated')),
    ...(unchanged > 0 ? [TEXT.unchanged(unchanged)] : []),
    ...(notFound > 0 ? [TEXT.notFound(notFound)] : []),
    ...(skipped > 0 ? [TEXT.skipped(skipped)] : []),
  ].join(', ');
}
