import { type Episode, valuesTotal } from './episode.ts';
import { ruleById } from './rule-registry.ts';

/** Returns the message of an episode, as its rule words it. Names are truncated when stored, and never interpreted. */
export function describeEpisode(episode: Episode): string {
  const program = episode.procname === null || episode.procname === '' ? 'a program' : episode.procname;
  const where = episode.hostname === null ? '' : ` on ${episode.hostname}`;
  const unseen = episode.suppressed > 0 ? `, and at least ${episode.suppressed} more that the kernel did not log` : '';
  const crashes = `${episode.crashes} ${episode.crashes === 1 ? 'crash' : 'crashes'}${unseen}`;
  return ruleById(episode.rule).message(episode, { program, where, crashes, distinct: valuesTotal(episode) });
}
