import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
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
import { createLocks, type Locks } from './faults/locks.ts';
import { type FaultKind, type PlannedFault, planFaults, type Target } from './faults/plan.ts';
import { type Installation, SHAPES, type ShapeName, startInstallation } from './installation.ts';
import { keepServing } from './keep-serving.ts';
import { createLoad, type Load, ON_DETECTION, WAITER } from './load.ts';
import type { DoneFault, RunSummary } from './summary.ts';

/** Duration of the load before the first fault and after the last fault of a round. */
const CALM_MS = 2_000;
/** Multiplier for the seeds of rounds, so that runs with neighbouring seeds do not share rounds. */
const ROUND_SEEDS = 1_000_003;

export interface ChaosRun {
  readonly seed: number;
  /** Number of rounds of faults and comparison on one installation. */
  readonly rounds: number;
  /** Number of faults in each round. 0: undisturbed. */
  readonly faults: number;
  readonly kinds: readonly FaultKind[];
  readonly shape: ShapeName;
  /** Latest start of a round, in ms after the start of the run. */
  readonly untilMs: number;
  readonly fakeTime?: string | undefined;
  /** Aborts the run, which then counts as failed. */
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/**
 * Starts an installation, applies faults while clients send, and compares the stored state with what was accepted after
 * each round.
 */
export async function runChaos(run: ChaosRun): Promise<RunSummary> {
  const { seed, shape, fakeTime } = run;
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-chaos-'));
  const startedAt = performance.now();
  const secondsSoFar = () => Math.round((performance.now() - startedAt) / 1000);
  const print = (line: string) => run.print(`${String(secondsSoFar()).padStart(5)} s  ${line}`);
  const done: Rounds = { rounds: 0, faults: [], figures: {} };
  let installation: Installation | undefined;
  let problems: readonly string[] = ['the run did not end'];
  const interrupted = Promise.withResolvers<never>();
  interrupted.promise.catch(() => {});
  run.signal.addEventListener('abort', () => interrupted.reject(new Error('interrupted')), { once: true });
  try {
    const starting = startInstallation({ home, shape: SHAPES[shape], fakeTime, print });
    starting.then((started) => (installation = started)).catch(() => {});
    installation = await Promise.race([starting, interrupted.promise]);
    problems = await Promise.race([disturb(installation, { ...run, print }, startedAt, done), interrupted.promise]);
  } catch (error) {
    problems = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  } finally {
    // An interrupted run skips the orderly end: supervisors kill its processes when this process ends, and the caller
    // then removes its folder.
    if (!run.signal.aborted) await end(installation, home, problems, print);
  }
  const unplanned = installation?.unplanned ?? [];
  for (const { name, code, output } of unplanned)
    print(`${name} ended by itself with ${code}: ${output.trim().split('\n').slice(-3).join('\n  ')}`);
  return {
    seed,
    problems,
    seconds: secondsSoFar(),
    unplanned: unplanned.map(({ name, code }) => ({ name, code })),
    ...done,
  };
}

/** Ends everything. Keeps the logs of a run with problems. */
async function end(
  installation: Installation | undefined,
  home: string,
  problems: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const isKept = problems.length > 0;
  if (isKept) await installation?.keepLogs();
  await installation?.stop();
  if (isKept) print(`logs are kept in ${home}`);
  else await removeHome(home);
}

/** Progress of a run so far. */
interface Rounds {
  /** Number of compared rounds. */
  rounds: number;
  faults: DoneFault[];
  figures: Readonly<Record<string, number>>;
}

/** Performs the rounds until one has problems. Resolves to these problems. */
async function disturb(
  installation: Installation,
  run: ChaosRun,
  startedAt: number,
  done: Rounds,
): Promise<readonly string[]> {
  const { seed, rounds, untilMs, print } = run;
  const { apiUrls, home, kafka } = installation;
  const key = (await readFile(path.join(home, 'data', 'operator.key'), 'utf8')).trim();
  await releaseWorkflows(apiUrls, key);
  const producer = createEventProducer({ log: QUIET_LOG }, { connection: { brokers: kafka.brokers } });
  const load = createLoad({ apiUrls, key, producer, seed });
  const locks = createLocks();
  const over = new AbortController();
  const keeping = keepServing(installation, locks, over.signal, print);
  try {
    for (let round = 1; ; round++) {
      const plan = planOf(installation, run, round);
      await doRound({ installation, load, plan, locks }, done, print);
      const isLast = round >= rounds || performance.now() - startedAt > untilMs;
      const evidence = await collect(installation, load, { key, isLast, print });
      done.figures = figuresOf(evidence);
      const problems = problemsOfRun(evidence);
      const verdict = problems.length === 0 ? 'ok' : 'FAILED';
      print(`seed ${seed} round ${round} of ${rounds}: ${done.faults.length} faults so far, ${verdict}`);
      if (problems.length > 0) {
        await keepEvidence(home, evidence);
        return [`after round ${round}`, ...problems];
      }
      done.rounds = round;
      if (isLast) return [];
    }
  } finally {
    over.abort();
    await keeping;
    await producer.close();
    const answers = [...load.statuses].sort().map(([status, times]) => `${status}: ${times}`);
    print(`responses: ${answers.join(', ')}`);
  }
}

async function releaseWorkflows(apiUrls: readonly string[], key: string): Promise<void> {
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
}

function planOf({ actors }: Installation, { seed, faults, kinds }: ChaosRun, round: number): PlannedFault[] {
  const targets = actors.map(
    ({ name, kind, disk, clock }): Target => ({ name, kind, disk: disk !== undefined, clock: clock !== undefined }),
  );
  return planFaults({ seed: seed + (round - 1) * ROUND_SEEDS, faults, kinds, targets });
}

/** Sends load, applies the faults, and sends load again. */
async function doRound(
  {
    installation,
    load,
    plan,
    locks,
  }: {
    readonly installation: Installation;
    readonly load: Load;
    readonly plan: readonly PlannedFault[];
    readonly locks: Locks;
  },
  done: Rounds,
  print: (line: string) => void,
): Promise<void> {
  const report = (line: string) => print(`${line} (${progress(load)})`);
  load.send();
  try {
    await pause(CALM_MS);
    await applyFaults(plan, installation, locks, (line, { kind, targets }) => {
      done.faults.push({ kind, what: targets.map((name) => installation.actor(name).kind) });
      report(line);
    });
    await pause(CALM_MS);
  } finally {
    report('faults are over: waiting for what was begun');
    await load.pause();
  }
  report('waiting until everything is stored and has ended');
}

function progress({ records, events, executions, exceptions }: Load): string {
  return `${records} records, ${events.size} events over HTTP, ${executions.size} executions, ${exceptions.size} exceptions`;
}

/** Stores the evidence, so that a problem can be analysed after the stores have been removed. */
async function keepEvidence(home: string, evidence: Evidence): Promise<void> {
  const topic = evidence.topic.map(({ partition, offset, headers, value }) => ({
    partition,
    offset,
    headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, String(header)])),
    value: String(value),
  }));
  const plain = (_key: string, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...value.entries()] : value;
  await mkdir(home, { recursive: true });
  await writeFile(path.join(home, 'evidence.json'), JSON.stringify({ ...evidence, topic }, plain));
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
