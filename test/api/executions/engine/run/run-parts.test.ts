import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '#api/executions/engine/contract/port.ts';
import { engineError, TaskFailure } from '#api/executions/engine/contract/task-failure.ts';
import { hasEffect } from '#api/executions/engine/run/run-advance.ts';
import { createRunInbox } from '#api/executions/engine/run/run-inbox.ts';
import type { RunTaskCommand } from '#api/executions/engine/run/run-port.ts';
import { writeDue } from '#api/executions/engine/run/run-record.ts';
import { createRunTasks } from '#api/executions/engine/run/run-tasks.ts';
import {
  emptyChange,
  noteStep,
  noteTimerEnded,
  noteTimerFired,
  noteTimerSet,
  noteWait,
  noteWaitEnded,
  renderChange,
} from '#api/executions/engine/writes/change.ts';
import { INLINE_BYTES, type PayloadStore } from '#api/executions/payloads/port.ts';

describe('a change', () => {
  const at = '2026-01-01T00:00:00Z';

  it('keeps the last state of a timer: set again, ended, or fired', () => {
    const change = emptyChange();
    for (const timer of ['again', 'ended', 'fired']) noteTimerSet(change, timer, at);
    noteTimerEnded(change, 'again');
    noteTimerSet(change, 'again', at);
    noteTimerEnded(change, 'ended');
    noteTimerEnded(change, 'fired');
    noteTimerFired(change, 'fired');
    expect([...(change.timers ?? [])]).toEqual([['again', at]]);
    expect([...(change.endedTimers ?? [])]).toEqual(['ended']);
    expect([...(change.firedTimers ?? [])]).toEqual(['fired']);
  });

  it('keeps the last state of a wait', () => {
    const change = emptyChange();
    const wait = { step: '/do/0/a', mode: 'one', filters: [] } as const;
    for (const name of ['again', 'ended']) noteWait(change, name, wait);
    noteWaitEnded(change, 'again');
    noteWait(change, 'again', wait);
    noteWaitEnded(change, 'ended');
    expect([...(change.waits ?? [])]).toEqual([['again', wait]]);
    expect([...(change.endedWaits ?? [])]).toEqual(['ended']);
  });

  it('knows the duration of a step from an earlier change, and nothing of a step of another worker', async () => {
    const step = { name: 'a', kind: 'call', attempt: 1, step: '/do/0/a' } as const;
    const position = { status: 'running', state: null } as const;
    const before = emptyChange();
    noteStep(before, { ...step, status: 'running', at });
    const [began] = (await renderChange({ id: 'e', epoch: 1 }, before, position, undefined)).steps;
    expect(began).toMatchObject({ startedAt: at, endedAt: null });
    expect(began).not.toHaveProperty('ranMs');
    const change = emptyChange(before);
    const end = '2026-01-01T00:00:02.500Z';
    noteStep(change, { ...step, status: 'completed', at: end });
    noteStep(change, { ...step, step: '/do/1/b', status: 'completed', at: end });
    const [ended, unknown] = (await renderChange({ id: 'e', epoch: 1 }, change, position, undefined)).steps;
    expect(ended).toMatchObject({ startedAt: at, endedAt: end, ranMs: 2_500 });
    expect(unknown).toMatchObject({ startedAt: end, endedAt: end });
    expect(unknown).not.toHaveProperty('ranMs');
    expect(change.openSince.size).toBe(0);
  });

  it('keeps values in rows or files by their size, and leaves no file if one of them is too large', async () => {
    const put: string[] = [];
    const payloads: PayloadStore = {
      async put(name) {
        put.push(name);
        return name;
      },
      get: () => Promise.reject(new Error('nothing is read')),
      async *read() {},
      async delete() {},
    };
    const step = { name: 'a', kind: 'run', status: 'completed', attempt: 1, at } as const;
    const claim = { id: 'exec_1', epoch: 2 };
    const large = 'x'.repeat(INLINE_BYTES);
    const change = emptyChange();
    noteStep(change, { ...step, step: '/do/0/a', input: { small: true }, output: large });
    const { state, steps } = await renderChange(claim, change, { status: 'running', state: [1] }, payloads);
    expect(state).toBe('[1]');
    expect(steps[0]).toMatchObject({ input: '{"small":true}', output: null, outputFile: 'exec_1/2/output 1 /do/0/a' });
    expect(put).toEqual(['exec_1/2/output 1 /do/0/a']);
    const tooLarge = Array.from({ length: 70 }, () => large);
    noteStep(change, { ...step, step: '/do/1/b', input: large, output: tooLarge });
    expect(await renderChange(claim, change, { status: 'running', state: [1] }, payloads)).toMatchObject({
      status: 'failed',
      steps: [],
    });
    expect(put).toHaveLength(1);
  });
});

it.each([
  ['a continue is requested', { continueRequested: true, mustKeep: false }, { begins: true, running: false }, 'now'],
  ['tasks begin, with an outcome unwritten', { mustKeep: true }, { begins: true, running: false }, 'now'],
  ['tasks begin, with nothing irrevocable', { mustKeep: false }, { begins: true, running: false }, 'soon'],
  ['others go on, with an outcome unwritten', { mustKeep: true }, { begins: false, running: true }, 'now'],
  ['the run is about to park', { mustKeep: true }, { begins: false, running: false }, undefined],
  ['nothing has happened', { mustKeep: false }, { begins: false, running: true }, undefined],
])('the write that is due when %s', (_, record, work, due) => {
  expect(writeDue({ continueRequested: false, ...record }, work)).toBe(due);
});

it('an event has an effect by its commands, its steps or the state', () => {
  const nothing = { state: { at: 1 }, commands: [], steps: [] };
  expect(hasEffect(nothing, { at: 1 })).toBe(false);
  expect(hasEffect(nothing, { at: 2 })).toBe(true);
  expect(hasEffect(nothing, undefined)).toBe(true);
  expect(hasEffect({ ...nothing, commands: [{ type: 'continue' }] }, { at: 1 })).toBe(true);
});

describe('an inbox', () => {
  const event: EngineEvent = { type: 'continue', at: '2026-01-01T00:00:00Z' };

  it('returns events in their order, and ends a wait with each', async () => {
    const inbox = createRunInbox(new AbortController().signal);
    const waiting = inbox.wait();
    inbox.push({ event, signal: 1 });
    inbox.push({ event, signal: 2 });
    await waiting;
    expect(inbox.has('continue')).toBe(true);
    expect([inbox.next(), inbox.next(), inbox.next()]).toEqual([[{ event, signal: 1 }], [{ event, signal: 2 }], []]);
    expect(inbox.isEmpty()).toBe(true);
  });

  it('returns outcomes of tasks together, but no timer and no signal with them', () => {
    const inbox = createRunInbox(new AbortController().signal);
    const outcome = (step: string): EngineEvent => ({
      type: 'task-completed',
      step,
      attempt: 1,
      output: null,
      at: event.at,
    });
    const timer: EngineEvent = { type: 'timer-fired', timer: 't', at: event.at };
    const incoming = [
      { event: outcome('a') },
      { event: outcome('b') },
      { event: timer },
      { event: outcome('c'), signal: 1 },
      { event: outcome('d') },
    ];
    for (const each of incoming) inbox.push(each);
    const first = inbox.next();
    expect(first).toEqual(incoming.slice(0, 2));
    inbox.putBack(first.slice(1));
    expect(Array.from({ length: 4 }, () => inbox.next())).toEqual(incoming.slice(1).map((each) => [each]));
  });

  it('ends a wait when the run is released, before or during it', async () => {
    const ended = new AbortController();
    const inbox = createRunInbox(ended.signal);
    const waiting = inbox.wait();
    ended.abort();
    await waiting;
    await inbox.wait();
  });
});

describe('tasks of a run', () => {
  const script = { kind: 'script', language: 'js', code: '', arguments: {}, environment: {} } as const;
  const child = { kind: 'workflow', slug: 'a', version: '1', input: null, await: true } as const;
  const command = (step: string, task: RunTaskCommand['task'] = script): RunTaskCommand => ({
    type: 'run-task',
    step,
    name: step,
    attempt: 1,
    task,
    idempotencyKey: step,
  });

  /** Tasks that end when the test decides. */
  function testTasks(startChild: () => Promise<void> = async () => {}) {
    const begun = new Map<string, PromiseWithResolvers<null>>();
    const cancelled: string[] = [];
    const events: EngineEvent[] = [];
    const happened = Promise.withResolvers<void>();
    const childStarted = Promise.withResolvers<void>();
    const tasks = createRunTasks({
      ended: new AbortController().signal,
      runTask({ step }, signal) {
        const end = Promise.withResolvers<null>();
        begun.set(step, end);
        signal.addEventListener('abort', () => end.reject(signal.reason));
        return end.promise;
      },
      isRecorded: () => false,
      startChild,
      cancelChild: (step, attempt) => cancelled.push(`${step} ${attempt}`),
      onEvent(event) {
        events.push(event);
        happened.resolve();
      },
      onChildStarted: childStarted.resolve,
    });
    return { tasks, begun, cancelled, events, happened: happened.promise, childStarted: childStarted.promise };
  }

  it('begin once, fifty at a time, and the others when a slot is free', async () => {
    const { tasks, begun, events, happened } = testTasks();
    for (let i = 0; i < 52; i++) tasks.request(command(`/${i}`));
    tasks.request(command('/0'));
    tasks.beginRequested();
    tasks.beginDelayed();
    expect(tasks.running).toBe(50);
    expect(tasks.hasRequested()).toBe(false);
    begun.get('/7')?.resolve(null);
    await happened;
    expect(events).toEqual([expect.objectContaining({ type: 'task-completed', step: '/7', output: null })]);
    tasks.cancel('/50');
    tasks.beginDelayed();
    expect([begun.has('/50'), begun.has('/51'), tasks.running]).toEqual([false, true, 50]);
  });

  it('report nothing after they were cancelled', async () => {
    const { tasks, begun, events, cancelled } = testTasks();
    for (const step of ['/a', '/b']) tasks.request(command(step));
    tasks.cancel('/b');
    tasks.beginRequested();
    tasks.cancel('/a');
    await expect(begun.get('/a')?.promise).rejects.toThrow('the step was ended');
    await new Promise(setImmediate);
    expect([...begun.keys()]).toEqual(['/a']);
    expect([events, cancelled, tasks.running]).toEqual([[], [], 0]);
  });

  it('count a child until it has ended, and cancel it', async () => {
    const { tasks, cancelled, childStarted } = testTasks();
    for (const step of ['/a', '/b']) tasks.request(command(step, child));
    tasks.beginRequested();
    expect([tasks.running, tasks.starting, tasks.children]).toEqual([0, 2, 2]);
    await childStarted;
    tasks.childEnded('/a', 1);
    tasks.cancel('/a');
    tasks.cancel('/b');
    expect([cancelled, tasks.children]).toEqual([['/b 1'], 0]);
  });

  it('wait for the child of a later attempt when the outcome of an earlier one comes late', () => {
    const { tasks, cancelled } = testTasks();
    tasks.request(command('/a', child));
    tasks.beginRequested();
    tasks.cancel('/a');
    tasks.request({ ...command('/a', child), attempt: 2 });
    tasks.beginRequested();
    tasks.childEnded('/a', 1);
    expect(tasks.children).toBe(1);
    tasks.cancel('/a');
    expect([cancelled, tasks.children]).toEqual([['/a 1', '/a 2'], 0]);
  });

  it('fail a step whose child is rejected, and the run if a child cannot be started for another reason', async () => {
    const refused = testTasks(async () => {
      throw new TaskFailure(engineError('Refused', 'no such workflow'));
    });
    refused.tasks.request(command('/a', child));
    refused.tasks.beginRequested();
    await refused.childStarted;
    expect(refused.events).toEqual([expect.objectContaining({ type: 'task-failed', step: '/a' })]);
    expect([refused.tasks.children, refused.tasks.failure]).toEqual([0, undefined]);

    const reason = new Error('connection refused');
    const broken = testTasks(() => Promise.reject(reason));
    broken.tasks.request(command('/a', child));
    broken.tasks.beginRequested();
    await broken.childStarted;
    expect([broken.events, broken.tasks.failure]).toEqual([[], { reason }]);
  });
});
