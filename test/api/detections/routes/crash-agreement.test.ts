import { beforeAll, expect, test } from 'vitest';
import { at, dump, mismatch, type RuleCase, suppressed } from '#analytics/detections/rule-case.ts';
import { cases as tamperingCases } from '#analytics/detections/rules/detector-tampering.cases.ts';
import { cases as pointerCases } from '#analytics/detections/rules/instruction-pointer-probe.cases.ts';
import { cases as kernelCases } from '#analytics/detections/rules/kernel-fault.cases.ts';
import { cases as registerCases } from '#analytics/detections/rules/register-value-probe.cases.ts';
import { cases as canaryCases } from '#analytics/detections/rules/stack-canary-probe.cases.ts';
import { cases as burstCases } from '#analytics/detections/rules/suppressed-crash-burst.cases.ts';
import { pointerView } from '#dashboards/console/src/pages/detection/pointer-view.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { detection as recorded, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { openTestLane } from '#test/support/lane-fixture.ts';
import { runApp } from '../../running-app.ts';

/*
 * Every crash is counted once and consistently: in the detection, in the events of "Open in Events", on the page of its
 * host, and in its plot. Each scenario uses its own host and includes events that no rule uses.
 */

const { clickhouse, store } = await useDatabase();

const ANY = '';
/** Rule, name of the scenario, and the types of the events that the detection is based on. */
const STORIES = [
  ['instruction-pointer-probe', pointerCases, ANY, ['LinuxKernelTrap']],
  ['register-value-probe', registerCases, 'RDI counts up', ['LinuxFatalSignal']],
  ['stack-canary-probe', canaryCases, 'three aborts a second of one forked image', ['LinuxFatalSignal']],
  ['stack-canary-probe', canaryCases, 'every child under another name', ['LinuxFatalSignal']],
  [
    'suppressed-crash-burst',
    burstCases,
    'ten crashes logged, five thousand not',
    ['LinuxKernelTrap', 'LinuxSuppressedCallback'],
  ],
  ['detector-tampering', tamperingCases, ANY, ['ConfigMismatch']],
  ['kernel-fault', kernelCases, 'faults of threads of the kernel are one detection of the host', ['LinuxKernelTrap']],
  ['kernel-fault', kernelCases, 'faults of the kernel are no crashes of the program', ['LinuxKernelTrap']],
] as const;

const storyOf = (cases: readonly RuleCase[], name: string): readonly AcceptedEvent[] =>
  cases.find((one) => one.registers.length === 1 && (name === ANY ? one.others === undefined : one.name === name))
    ?.events ?? [];
const hostOf = (index: number) => `agree-${index}`;
/** Events that no rule uses: a signal sent by another process, callbacks of the network, a harmless setting. */
const NOISE = [
  at(1, dump({ PID: '77', Comm: 'edge-gw' }, 'SIGTERM')),
  at(1, suppressed(90_000, 'net_ratelimit')),
  ...[0.5, 2].map((seconds) => at(seconds, mismatch('net.ipv4.ip_forward', '0', '1'))),
];

beforeAll(async () => {
  const { send, lane } = openTestLane(clickhouse, { topic: 'local.agreement', counted: true });
  const events = STORIES.flatMap(([rule, cases, name], index) =>
    [
      ...storyOf(cases, name),
      ...NOISE.filter(({ event }) => rule !== 'detector-tampering' || event.event.type !== 'ConfigMismatch'),
    ].map(({ event }) => stringifyExact({ ...event, hostname: hostOf(index) })),
  );
  await send(events.map((text) => ({ offset: -1, key: null, value: Buffer.from(text), ingestId: '' })));
  await lane.close();
});

test.each(STORIES.map(([rule, cases, name, types], index) => ({ rule, cases, name, types, index })))(
  '$rule: $name',
  async ({ rule, cases, name, types, index }) => {
    const story = storyOf(cases, name);
    expect(story.length).toBeGreaterThan(0);
    const { get } = await runApp({ deps: { clickhouse } });
    const read = async (path: string) => (await get(path)).json() as Promise<never>;
    const { data } = (await read(`/api/detections?hostname=${hostOf(index)}&rule=${rule}`)) as {
      data: { id: string }[];
    };
    expect(data).toHaveLength(1);
    const detection = (await read(`/api/detections/${data[0]?.id}`)) as Parameters<typeof viewOf>[0];
    const { crashes, firstSeen, lastSeen } = detection;

    const listed = (await read(`/api/events?detection=${detection.id}&limit=1000`)) as {
      data: { event: { event: { type: string } } }[];
    };
    expect(listed.data).toHaveLength(story.length);
    expect([...new Set(listed.data.map(({ event }) => event.event.type))].toSorted()).toEqual(types);
    const to = new Date(Date.parse(lastSeen) + 1).toISOString();
    const summary = `/api/events/summary?detection=${detection.id}&from=${new Date(Date.parse(firstSeen) - 60_000).toISOString()}&to=${to}`;
    expect(await read(summary)).toMatchObject({ crashes, events: story.length });
    expect(await read(`/api/hosts?hostname=${hostOf(index)}`)).toMatchObject({ data: [{ crashes }] });
    expect(viewOf(detection) ?? crashes).toBe(crashes);
  },
);

test('the events of a campaign are those of its hosts', async () => {
  const id = `det_${'c'.repeat(32)}`;
  const [first] = storyOf(pointerCases, ANY);
  const { file } = (first?.event.event ?? {}) as { readonly file?: string };
  const rule = { id: 'fleet-scan', version: 2, name: 'Scan spread over hosts' };
  const time = { firstSeen: first?.event.timestamp ?? '', lastSeen: '2026-03-01T00:00:00.000000000Z' };
  const hosts = [hostOf(0)];
  const campaign = { id, rule, hostname: null, hosts, hostsTotal: 1, procname: 'edge-gw', file: file ?? null, ...time };
  await store.landDetections([recorded(campaign)]);
  const { get } = await runApp({ deps: { clickhouse } });
  const { data } = (await (await get(`/api/events?detection=${id}&limit=1000`)).json()) as {
    data: { event: { hostname: string } }[];
  };
  // The burst on another host crashed in the same file at that time.
  expect(data).toHaveLength(storyOf(pointerCases, ANY).length);
  expect(new Set(data.map(({ event }) => event.hostname))).toEqual(new Set(hosts));
});

/** Number of crashes in the plot of the detection; undefined if it has no plot. */
function viewOf(detection: {
  readonly id: string;
  readonly crashes: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly register: string | null;
  readonly evidence: Parameters<typeof pointerView>[0];
}): number | undefined {
  if (detection.register === null || detection.register === 'canary') return undefined;
  const view = pointerView(detection.evidence, detection.register);
  return view && view.crashes + view.elsewhere;
}
