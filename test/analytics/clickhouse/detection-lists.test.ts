import { expect, test } from 'vitest';
import { insertRows } from '#analytics/clickhouse/insert-rows.ts';
import {
  getDetection,
  listDetections,
  saveTriages,
  streamDetections,
  type Triage,
} from '#analytics/clickhouse/read-models/detections.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import { detectionSilencesTable } from '#analytics/clickhouse/tables/detection-silences.ts';
import { describeRisk } from '#analytics/detections/risk/score.ts';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { DETECTION_STATUSES, type Detection, SEVERITIES, VERDICTS } from '#schemas/detection.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { detection, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const random = seededRandom(20_260_712);
const HOSTS = ['edge-1', 'edge-2', 'edge-10', 'bücher "7"', null];
const NAMES = ['nginx', 'sshd', 'line\nbreak', null];
const REGISTERS = ['ip', 'RDI', 'canary', null];
const WORDS = ['mail', 'Postfix', 'back\\slash', 'nothing'];
const LATER = 60_000;

/** Times within a few hundred seconds, so that many detections share one. */
const instant = (second: number) =>
  `2026-02-02T02:${String(40 + Math.floor(second / 60))}:${String(second % 60).padStart(2, '0')}.000000001Z`;

/** A later revision may differ from the one before in any field, and its latest evidence may even be older. */
function revisionOf(id: string, revision: number): Detection {
  const last = random.between(0, 300);
  return detection({
    id,
    revision,
    rule: { id: random.pick(RULES).id, version: random.between(1, 3), name: 'A "rule"' },
    severity: random.pick(SEVERITIES),
    hostname: random.pick(HOSTS),
    hosts: random.pick([[], ['edge-1', 'bücher "7"']]),
    hostsTotal: random.between(0, 300),
    risk: random.pick([null, describeRisk(59.41)]),
    procname: random.pick(NAMES),
    file: random.pick(NAMES),
    register: random.pick(REGISTERS),
    firstSeen: instant(0),
    lastSeen: instant(last),
    crashes: revision,
    message: `${random.pick(WORDS)} moves ü\t"${random.pick(WORDS)}"`,
    values: Array.from({ length: random.between(0, 3) }, (_, i) => `0x${i}"`),
    attack: random.pick([[], detection().attack, [...detection().attack, { tactic: '"', technique: ',', name: '\\' }]]),
    exception: random.pick([null, null, 'exc_of_the_revision']),
    event: random.pick([null, detection().event]),
  });
}

/**
 * The expected list, computed in this process: each detection in its highest revision, with its latest decision and
 * silence.
 */
async function landSome(count: number): Promise<Detection[]> {
  const ids = Array.from({ length: count }, (_, i) => `det_${(i * 7919 + 0xabc).toString(16).padStart(32, '0')}`);
  const known = new Map<string, Detection>();
  const revisions = ids.flatMap((id) => Array.from({ length: random.between(1, 4) }, (_, i) => revisionOf(id, i + 1)));
  for (const one of revisions) known.set(one.id, one);
  // Inserted in random order, as several parts of the table, some rows twice.
  const shuffled = [...revisions, ...revisions.slice(0, 40)].sort(() => random.next() - 0.5);
  for (let at = 0; at < shuffled.length; at += 100) await store.landDetections(shuffled.slice(at, at + 100));

  const now = Date.now();
  const decided = ids.filter(() => random.next() < 0.5);
  for (const changedMs of [now + 2, now]) {
    const triages = decided.map((id): Triage & { id: string; changedMs: number } => ({
      id,
      changedMs,
      status: random.pick(DETECTION_STATUSES),
      verdict: random.pick([...VERDICTS, null]),
      assignee: random.pick([null, 'ann']),
      note: random.pick([null, 'seen with the mail team']),
    }));
    await saveTriages(clickhouse, triages);
    // The later decision is inserted first.
    if (changedMs > now)
      for (const { id, changedMs: _, ...triage } of triages)
        known.set(id, { ...(known.get(id) as Detection), ...triage });
  }
  const silences = ids
    .filter(() => random.next() < 0.3)
    .map((id) => ({ id, changedMs: now + LATER, exception: random.pick([null, 'exc_since']) }));
  await insertRows(clickhouse, detectionSilencesTable, silences);
  for (const { id, exception } of silences) known.set(id, { ...(known.get(id) as Detection), exception });
  const descending = (one: string, other: string) => (one < other ? 1 : one > other ? -1 : 0);
  return [...known.values()].sort((a, b) => descending(a.lastSeen, b.lastSeen) || descending(a.id, b.id));
}

const known = await landSome(400);
const at = (second: number) => ({ seconds: Date.UTC(2026, 1, 2, 2, 40) / 1000 + second, nanos: 1 });
const texts = ({ message, note, event }: Detection) =>
  [message, note ?? '', event === null ? '' : 'registerprobe'].join(' ').toLowerCase();
const atLeastHigh = ({ severity }: Detection) => severity === 'high' || severity === 'critical';

const LISTS: readonly (readonly [what: string, filters: Filters, holds: (one: Detection) => boolean])[] = [
  ['all', {}, () => true],
  ['from a time', { from: at(100) }, ({ lastSeen }) => lastSeen >= instant(100)],
  ['up to a time', { to: at(100) }, ({ lastSeen }) => lastSeen < instant(100)],
  ['between', { from: at(50), to: at(90) }, ({ lastSeen }) => lastSeen >= instant(50) && lastSeen < instant(90)],
  ['of a host', { hostname: 'edge-1' }, ({ hostname, hosts }) => hostname === 'edge-1' || hosts.includes('edge-1')],
  [
    'of a host with quotes',
    { hostname: 'bücher "7"' },
    ({ hostname, hosts }) => [hostname, ...hosts].includes('bücher "7"'),
  ],
  ['of no host there is', { hostname: 'edge-3' }, () => false],
  ['of a program', { procname: 'line\nbreak' }, ({ procname }) => procname === 'line\nbreak'],
  ['of a file', { file: 'sshd' }, ({ file }) => file === 'sshd'],
  ['of a register', { register: 'RDI' }, ({ register }) => register === 'RDI'],
  ['of a rule', { rule: 'stack-canary-probe' }, ({ rule }) => rule.id === 'stack-canary-probe'],
  ['of a severity', { severity: 'critical' }, ({ severity }) => severity === 'critical'],
  ['new', { status: 'new' }, ({ status }) => status === 'new'],
  ['closed', { status: 'closed' }, ({ status }) => status === 'closed'],
  ['by id', { detection: (known[17] as Detection).id }, ({ id }) => id === known[17]?.id],
  ['by a text', { q: 'mail' }, (one) => texts(one).includes('mail')],
  ['by a text of the event', { q: 'RegisterProbe' }, (one) => texts(one).includes('registerprobe')],
  ['by fields of both', { q: 'severity>=high status:closed' }, (one) => atLeastHigh(one) && one.status === 'closed'],
  ['by what silences', { q: 'exception:exc_since' }, ({ exception }) => exception === 'exc_since'],
  ['not decided', { q: 'verdict:null not mail' }, (one) => one.verdict === null && !texts(one).includes('mail')],
  ['of two severities', { severity: ['high', 'critical'] }, atLeastHigh],
  [
    'of two hosts',
    { hostname: ['edge-1', 'edge-10'] },
    ({ hostname, hosts }) => [hostname, ...hosts].some((one) => one === 'edge-1' || one === 'edge-10'),
  ],
  ['without a host, and with campaigns', { 'exclude.hostname': 'edge-1' }, ({ hostname }) => hostname !== 'edge-1'],
  [
    'without two programs, and with those of none',
    { 'exclude.procname': ['nginx', 'sshd'] },
    ({ procname }) => procname === null || procname === 'line\nbreak',
  ],
  ['open', { status: ['new', 'acknowledged'] }, ({ status }) => status !== 'closed'],
  ['open, by exclusion', { 'exclude.status': 'closed' }, ({ status }) => status !== 'closed'],
  ['without a verdict', { verdict: 'null' }, ({ verdict }) => verdict === null],
  [
    'without a verdict, or benign',
    { verdict: ['benign', 'null'] },
    ({ verdict }) => verdict === null || verdict === 'benign',
  ],
  ['assigned to anyone', { 'exclude.assignee': 'null' }, ({ assignee }) => assignee !== null],
  [
    'not assigned to one analyst, and with a verdict',
    { 'exclude.assignee': 'ann', 'exclude.verdict': ['null', 'benign'] },
    ({ assignee, verdict }) => assignee !== 'ann' && verdict !== null && verdict !== 'benign',
  ],
  [
    'by a value and without another',
    { severity: ['high', 'low'], 'exclude.severity': 'low' },
    ({ severity }) => severity === 'high',
  ],
  [
    'by all at once',
    { from: at(10), hostname: 'edge-2', severity: 'high', status: 'acknowledged', q: 'moves' },
    (one) =>
      one.lastSeen >= instant(10) &&
      one.hostname === 'edge-2' &&
      one.severity === 'high' &&
      one.status === 'acknowledged',
  ],
];

test.for(LISTS)(
  'the list %s has the highest revisions with the latest decisions, on pages of any size',
  async ([, filters, holds]) => {
    const wanted = known.filter(holds);
    const walked: Detection[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await listDetections(clickhouse, filters, {
        limit: random.between(7, 90),
        ...(cursor ? { cursor } : {}),
      });
      walked.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(walked).toEqual(wanted);
    expect((await Array.fromAsync(streamDetections(clickhouse, filters))).flat()).toEqual(wanted);
  },
);

test('a detection is the same alone and in a list, before and after its revisions were merged', async () => {
  for (const one of known.slice(0, 20)) expect(await getDetection(clickhouse, one.id)).toEqual(one);
  await clickhouse.command('merge', `OPTIMIZE TABLE ${clickhouse.table('detection_records')} FINAL`);
  expect((await listDetections(clickhouse, {}, { limit: 1_000 })).items).toEqual(known);
});
