import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { executionsClient } from '#test/support/executions-client.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { removeHome } from '#test/support/trapline-process.ts';
import { collect } from './collect.ts';
import { type Evidence, problemsOfRun, storedOnce } from './compare.ts';
import { applyFaults } from './faults/apply.ts';
import { type FaultKind, planFaults } from './faults/plan.ts';
import { type Installation, SHAPES, type ShapeName, startInstallation } from './installation.ts';
import { type Load, ON_DETECTION, startLoad, WAITER } from './load.ts';
import type { RunSummary } from './summary.ts';

/** Load before the first fault and after the last. */
const CALM_MS = 5_000;

export interface ChaosRun {
  readonly seed: number;
  /** 0: an undisturbed run. */
  readonly faults: number;
  readonly kinds: readonly FaultKind[];
  readonly shape: ShapeName;
  readonly fakeTime?: string | undefined;
  readonly print: (line: string) => void;
}

/** Starts an installation, sends load while faults are done, and compares what is there afterwards with what was accepted. */
export async function runChaos({ seed, faults: count, kinds, shape, fakeTime, print }: ChaosRun): Promise<RunSummary> {
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-chaos-'));
  const startedAt = performance.now();
  let installation: Installation | undefined;
  let problems: readonly string[] = ['the run did not end'];
  let summary: Pick<RunSummary, 'faults' | 'figures'> = { faults: [], figures: {} };
  try {
    installation = await startInstallation({ home, shape: SHAPES[shape], fakeTime, print });
    const { actors } = installation;
    const targets = actors.map(({ name, kind, disk, clock }) => ({
      name,
      kind,
      disk: disk !== undefined,
      clock: clock !== undefined,
    }));
    const plan = planFaults({ seed, faults: count, kinds, targets });
    const kindOf = (name: string) => (installation as Installation).actor(name).kind;
    const faults = plan.map(({ kind, targets: of }) => ({ kind, what: of.map(kindOf) }));
    summary = { faults, figures: {} };
    const evidence = await disturb(
      installation,
      seed,
      (report) => applyFaults(plan, installation as Installation, report),
      print,
    );
    summary = { faults, figures: figuresOf(evidence) };
    problems = problemsOfRun(evidence);
  } catch (error) {
    problems = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  } finally {
    if (problems.length > 0) await installation?.keepLogs();
    await installation?.stop();
  }
  const unplanned = installation?.unplanned ?? [];
  for (const { name, code, output } of unplanned)
    print(`${name} ended by itself with ${code}: ${output.trim().split('\n').slice(-3).join('\n  ')}`);
  if (problems.length === 0) await removeHome(home);
  else print(`logs are kept in ${home}`);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { seed, problems, seconds, unplanned: unplanned.map(({ name, code }) => ({ name, code })), ...summary };
}

async function disturb(
  installation: Installation,
  seed: number,
  faults: (report: (line: string) => void) => Promise<void>,
  print: (line: string) => void,
): Promise<Evidence> {
  const { apiUrls, home, kafka } = installation;
  const key = (await readFile(path.join(home, 'data', 'operator.key'), 'utf8')).trim();
  const client = executionsClient(() => apiUrls[0] ?? '', key);
  await client.release(
    WAITER,
    'do: [ { pause: { wait: { milliseconds: 500 } } }, { result: { set: { n: "${ .n }" } } } ]',
  );
  await client.release(
    ON_DETECTION,
    'schedule: { on: { one: { with: { type: trapline.detection.opened } } } }\n' +
      'do: [ { remember: { set: { detections: "${ [ $workflow.input[].data.id ] }" } } } ]',
  );
  const producer = createEventProducer({ log: QUIET_LOG }, { connection: { brokers: kafka.brokers } });
  const load = startLoad({ apiUrls, key, producer, seed });
  const report = (line: string) => print(`${line} (${progress(load)})`);
  try {
    await pause(CALM_MS);
    await faults(report);
    await pause(CALM_MS);
  } finally {
    report('faults are over: waiting for what was begun');
    await load.finish();
    await producer.close();
  }
  report('waiting until everything is stored and has ended');
  const evidence = await collect(installation, load, key, print);
  const answers = [...load.statuses].sort().map(([status, times]) => `${status}: ${times}`);
  print(`responses: ${answers.join(', ')}`);
  return evidence;
}

function progress({ records, events, executions, exceptions }: Load): string {
  return `${records} records, ${events.size} events over HTTP, ${executions.size} executions, ${exceptions.size} exceptions`;
}

function figuresOf(evidence: Evidence): Record<string, number> {
  const { repeated } = storedOnce(evidence.topic, new Set([...evidence.events, ...evidence.deadLetters]));
  return {
    'records on the topic': evidence.topic.length,
    'of these sent again and not stored': repeated,
    'events stored': evidence.events.length,
    'dead letters': evidence.deadLetters.length,
    detections: evidence.detectionIds.length,
    'events accepted over HTTP': evidence.accepted.size,
    'executions accepted': evidence.executions.size,
    'executions started by detections': evidence.startedFor.length,
    'exceptions accepted': evidence.exceptions.size,
    'audit entries verified': evidence.auditVerified,
  };
}
