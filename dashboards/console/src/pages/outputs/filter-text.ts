import type { OutputFilter } from './output.ts';

/** What an output is told of, in words. */
export function filterText({ minSeverity, rules, hosts, causes }: OutputFilter): string {
  const parts = [
    minSeverity && `${minSeverity} and above`,
    rules?.join(' or '),
    hosts && `on ${hosts.join(', ')}`,
    causes && `when ${causes.join(' or ')}`,
  ].filter(Boolean);
  return parts.length === 0 ? 'everything' : parts.join('; ');
}
