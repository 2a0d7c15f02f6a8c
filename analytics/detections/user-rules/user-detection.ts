import type { Detection } from '#schemas/detection.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { exceptionSubject } from '../detection-view.ts';
import { type Episode, valuesTotal } from '../episode.ts';
import type { ExceptionSubject } from '../exception.ts';
import type { UserRule } from './user-rule.ts';

/** The detection object of an episode of a user's rule. It has no register, and therefore no RegisterProbe event. */
export function viewUserDetection(
  episode: Episode,
  { rule, version }: { readonly rule: UserRule; readonly version: number },
  findException: (subject: ExceptionSubject) => string | null,
): Detection {
  return {
    id: episode.id,
    revision: episode.revision,
    rule: { id: rule.id, version, name: rule.title },
    severity: episode.severity,
    hostname: episode.hostname,
    procname: episode.procname === '' ? null : episode.procname,
    file: episode.file,
    register: null,
    firstSeen: formatInstant(episode.first),
    lastSeen: formatInstant(episode.last),
    crashes: episode.crashes,
    suppressedAtLeast: 0,
    message: messageOf(episode, rule),
    values: [...episode.values],
    valuesTotal: valuesTotal(episode),
    attack: rule.attack.map((technique) => ({ ...technique })),
    evidenceCount: episode.evidence,
    status: 'new',
    verdict: null,
    assignee: null,
    note: null,
    exception: findException(exceptionSubject(episode)),
    event: null,
  };
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
