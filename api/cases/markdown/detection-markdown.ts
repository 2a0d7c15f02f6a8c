import type { Detection } from '#schemas/detection.ts';
import { titleOfDetection } from '../case-title.ts';
import { markdownCode, markdownQuote, markdownText } from './markdown-text.ts';
import { capitalised, timeText } from './words.ts';

/** One event of the evidence, for people. */
export interface EvidenceLine {
  /** RFC 3339. */
  readonly at: string;
  readonly message: string;
}

export interface DetectionMarkdownOptions {
  /** URL of the detection in the console. */
  readonly link: string;
  /** The newest evidence, newest first. Undefined: the evidence is omitted. */
  readonly evidence: readonly EvidenceLine[] | undefined;
  /** Heading level. Default 2. */
  readonly level?: number;
}

/**
 * Renders a detection as Markdown for a ticket or a chat: facts, evidence and the link. Names and messages come from
 * attacked hosts, so they are escaped.
 */
export function detectionMarkdown(
  detection: Omit<Detection, 'event'>,
  { link, evidence, level = 2 }: DetectionMarkdownOptions,
): string {
  const { severity, message, note, evidenceCount } = detection;
  const heading = '#'.repeat(level);
  return [
    `${heading} ${capitalised(severity)}: ${markdownText(titleOfDetection(detection))}`,
    '',
    markdownText(message),
    '',
    '| Fact | Value |',
    '| --- | --- |',
    ...factsOf(detection).map(([name, value]) => `| ${name} | ${value} |`),
    '',
    // Notes have several lines, which a table cell cannot contain.
    ...(note === null ? [] : ['Note:', '', markdownQuote(note), '']),
    ...(evidence === undefined ? [] : [`${heading}# Evidence`, '', ...evidenceLines(evidence, evidenceCount), '']),
    `[Open in Trapline](${link})`,
    '',
  ].join('\n');
}

function evidenceLines(evidence: readonly EvidenceLine[], total: number): string[] {
  if (evidence.length === 0) return ['None.'];
  const lines = evidence.map(({ at, message }) => `- ${markdownCode(at)} ${markdownCode(message)}`);
  return evidence.length < total ? [...lines, '', `The newest ${evidence.length} of ${total}.`] : lines;
}

function factsOf(detection: Omit<Detection, 'event'>): [name: string, value: string][] {
  const { id, rule, hostname, hosts, hostsTotal, procname, file, executable, unit, container, values } = detection;
  const { firstSeen, lastSeen, crashes, suppressedAtLeast, valuesTotal, attack, status, verdict, assignee } = detection;
  const known = (name: string, value: string | null): [string, string][] =>
    value === null ? [] : [[name, markdownCode(value)]];
  return [
    ['Detection', markdownCode(id)],
    ['Rule', `${markdownText(rule.name)} (${markdownCode(rule.id)}, version ${rule.version})`],
    ...known('Host', hostname),
    ...(hostsTotal > 0 ? [['Hosts', listed(hosts, hostsTotal)] satisfies [string, string]] : []),
    ...known('Program', procname),
    ...known('File', file),
    ...known('Executable', executable),
    ...known('Unit', unit),
    ...known('Container', container),
    ['First seen', timeText(firstSeen, 'ms')],
    ['Last seen', timeText(lastSeen, 'ms')],
    [
      'Crashes',
      suppressedAtLeast > 0 ? `${crashes} logged, at least ${suppressedAtLeast} not logged` : String(crashes),
    ],
    ...(valuesTotal > 0 ? [['Values', listed(values, valuesTotal)] satisfies [string, string]] : []),
    ...(attack.length > 0
      ? [
          ['ATT&CK', attack.map(({ technique, name }) => `${technique} ${markdownText(name)}`).join(', ')] satisfies [
            string,
            string,
          ],
        ]
      : []),
    ['Status', capitalised(status)],
    ...(verdict === null ? [] : [['Verdict', capitalised(verdict)] satisfies [string, string]]),
    ...(assignee === null ? [] : [['Assignee', markdownText(assignee)] satisfies [string, string]]),
  ];
}

/** Maximum number of listed values. */
const MAX_LISTED = 10;

function listed(values: readonly string[], total: number): string {
  const some = values.slice(0, MAX_LISTED).map(markdownCode).join(', ');
  const rest = total - Math.min(values.length, MAX_LISTED);
  return rest > 0 ? `${some} and ${rest} more` : some;
}
