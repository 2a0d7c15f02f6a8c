import { Agent, get } from 'node:http';
import type { Gap, ProbeReport, ProbeTask, TargetReport } from './probe-messages.ts';
import { createProcessorWait } from './processor-wait.ts';

/** Requests every endpoint every 200 ms, in a separate process. Reports once a second to the parent process. */
const EVERY_MS = 200;
const MAX_REFUSAL = 500;
const MAX_OPEN = 64;
const KEPT_MS = 120_000;

interface Moment {
  readonly at: number;
  readonly ms: number;
}
interface Target {
  readonly url: string;
  readonly agent: Agent;
  open: number;
  answers: number;
  refused: Record<string, number>;
  refusals: Record<string, string>;
  lastAnswer: number;
  longest: Gap | undefined;
  longestOwn: Gap | undefined;
  slowestAnswerMs: number;
  /** Ended gaps: all of them for the bare server, always empty for the other endpoints. */
  gaps: Moment[];
}

process.once('message', ({ targets, budgetMs, pid }: ProbeTask) => start(targets, budgetMs, pid));
process.once('disconnect', () => process.exit());

function start(urls: ProbeTask['targets'], budgetMs: number, pid: number): void {
  const processorWait = createProcessorWait(pid);
  const targets = new Map(Object.entries(urls).map(([name, url]) => [name, newTarget(url)]));
  const bare = targets.get('bare');
  let late: Moment[] = [];
  let over = new Map<string, Gap>();
  let latestMs = 0;
  let due = Date.now();

  function gapOf(name: string, { lastAnswer }: Target, now: number, open: boolean): Gap {
    const within = (moments: readonly Moment[]) =>
      moments.reduce(
        (most, { at, ms }) =>
          at + ms > lastAnswer && at < now ? Math.max(most, Math.min(at + ms, now) - Math.max(at, lastAnswer)) : most,
        0,
      );
    const bareOpen = bare === undefined ? 0 : now - Math.max(bare.lastAnswer, lastAnswer);
    return {
      target: name,
      from: lastAnswer,
      ms: now - lastAnswer,
      bareMs: Math.max(within(bare?.gaps ?? []), bareOpen),
      lateMs: within(late),
      waitedMs: processorWait.between(lastAnswer, now),
      open,
    };
  }

  function note(name: string, target: Target, gap: Gap): void {
    if (target.longest === undefined || gap.ms > target.longest.ms) target.longest = gap;
    if (target.longestOwn === undefined || ownMs(gap) > ownMs(target.longestOwn)) target.longestOwn = gap;
    if (gap.ms > budgetMs) over.set(`${name} ${gap.from}`, gap);
  }

  function ask(name: string, target: Target): void {
    if (target.open >= MAX_OPEN) return;
    target.open += 1;
    const asked = Date.now();
    const refuse = (why: string) => {
      target.refused[why] = (target.refused[why] ?? 0) + 1;
    };
    const request = get(target.url, { agent: target.agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        if (response.statusCode !== 200 && text.length < MAX_REFUSAL) text += part;
      });
      const now = Date.now();
      const waitedMs = processorWait.between(asked, now);
      // A health check with a time limit fails when the machine gives it no processor. Such failures are counted
      // separately.
      const overloaded = waitedMs > (now - asked) / 2;
      response.once('close', () => {
        target.open -= 1;
        if (response.statusCode === 200 || overloaded) return;
        target.refusals[String(response.statusCode)] ??=
          `${text.slice(0, MAX_REFUSAL)} after ${now - asked} ms, waited ${waitedMs} ms for a processor that others used`;
      });
      target.slowestAnswerMs = Math.max(target.slowestAnswerMs, now - asked);
      if (response.statusCode === 200) target.answers += 1;
      else refuse(`${response.statusCode}${overloaded ? ' while the machine was overloaded' : ''}`);
      // Any status ends the gap: statuses are judged separately.
      if (target === bare) target.gaps.push({ at: target.lastAnswer, ms: now - target.lastAnswer });
      note(name, target, gapOf(name, target, now, false));
      target.lastAnswer = now;
    });
    request.once('error', (error: NodeJS.ErrnoException) => {
      target.open -= 1;
      refuse(error.code ?? 'failed');
    });
  }

  setInterval(() => {
    const now = Date.now();
    const lateMs = now - due;
    processorWait.sample(now);
    due = now + EVERY_MS;
    latestMs = Math.max(latestMs, lateMs);
    if (lateMs > EVERY_MS) late.push({ at: now - lateMs, ms: lateMs });
    for (const [name, target] of targets) ask(name, target);
  }, EVERY_MS);

  setInterval(() => {
    const now = Date.now();
    late = late.filter(({ at }) => at > now - KEPT_MS);
    if (bare !== undefined) bare.gaps = bare.gaps.filter(({ at }) => at > now - KEPT_MS);
    for (const [name, target] of targets) note(name, target, gapOf(name, target, now, true));
    const reports = Object.fromEntries(
      [...targets].map(([name, target]): [string, TargetReport] => [name, reportOf(target)]),
    );
    process.send?.({ targets: reports, over: [...over.values()], latestMs } satisfies ProbeReport);
    over = new Map();
  }, 1_000);
}

function ownMs({ ms, waitedMs }: Gap): number {
  return ms - waitedMs;
}

function newTarget(url: string): Target {
  return {
    url,
    agent: new Agent({ keepAlive: true }),
    open: 0,
    answers: 0,
    refused: {},
    refusals: {},
    lastAnswer: Date.now(),
    longest: undefined,
    longestOwn: undefined,
    slowestAnswerMs: 0,
    gaps: [],
  };
}

function reportOf({ answers, refused, refusals, longest, longestOwn, slowestAnswerMs }: Target): TargetReport {
  return { answers, refused: { ...refused }, refusals: { ...refusals }, longest, longestOwn, slowestAnswerMs };
}
