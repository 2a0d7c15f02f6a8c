import type { Detection } from '#schemas/detection.ts';
import type { Episode } from '../episode.ts';
import { episodeObject } from '../episode-object.ts';
import type { ExceptionSubject } from '../exception.ts';
import type { UserRule } from './user-rule.ts';

/**
 * Returns the detection object of an episode of a user rule. It has no register, and therefore no RegisterProbe event.
 */
export function viewUserDetection(
  episode: Episode,
  { rule, version }: { readonly rule: UserRule; readonly version: number },
  findException: (subject: ExceptionSubject) => string | null,
): Detection {
  const { id, title, attack } = rule;
  return episodeObject(episode, { id, version, name: title, attack }, messageOf(episode, rule), findException);
}

function messageOf(
  { hostname, procname, evidence }: Episode,
  { title, correlation: { type, valueField } }: UserRule,
): string {
  const where = hostname === null ? '' : ` on ${hostname}`;
  const program = procname === null || procname === '' ? '' : ` of ${procname}`;
  const [one, many] =
    type === 'value_count'
      ? [`value of ${valueField?.name}`, `values of ${valueField?.name}`]
      : ['matching event', 'matching events'];
  return `${title}${where}: ${evidence} ${evidence === 1 ? one : many}${program}.`;
}
