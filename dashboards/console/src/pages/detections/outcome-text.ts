import type { Answer } from '../../api/client.ts';

type Outcome = Answer<'post', '/api/detections/bulk'>['results'][number]['outcome'];

/** What became of many detections, in a sentence. */
export function outcomeText(results: readonly { readonly outcome: Outcome }[]): string {
  const count = (wanted: Outcome) => results.filter(({ outcome }) => outcome === wanted).length;
  const [same, gone, overtaken] = [count('unchanged'), count('not_found'), count('changed_meanwhile')];
  return [
    `${count('updated')} changed`,
    ...(same > 0 ? [`${same} were so already`] : []),
    ...(gone > 0 ? [`${gone} are not there any more`] : []),
    ...(overtaken > 0
      ? [`${overtaken} left alone: somebody else decided about them meanwhile, and they stay selected`]
      : []),
  ].join(', ');
}
