import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExternalTask } from '#api/executions/engine/contract/external-task.ts';
import type { Advance, EngineEvent, StepRecord, WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import { openSteps } from '#api/executions/engine/interpreter/open-steps.ts';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import { ExpressionsBusyError } from '#api/executions/expressions/expression-error.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import {
  type Answer,
  communication,
  contextOf,
  type Played,
  play,
  type RunTask,
  START,
  useEvaluate,
  workflow,
} from './play.ts';

const evaluate = useEvaluate();

/** Three branches with retries, loops, waits and timeouts. Their result does not depend on their relative speed. */
const concurrent = workflow(`
do:
  - parts:
      fork:
        branches:
          - retried:
              try: [ { get: { call: http, with: { method: get, endpoint: 'https://example.com/retried' }, timeout: { after: P1D } } } ]
              catch: { retry: { delay: PT1S, backoff: { exponential: {} }, limit: { attempt: { count: 5 } } } }
          - looped:
              for: { in: '\${ [1, 2, 3] }' }
              do:
                - call: { call: http, with: { method: get, endpoint: 'https://example.com/looped', query: { i: '\${ $item }' } } }
                - pause: { wait: { seconds: 3 } }
                - add: { set: { sum: '\${ $item }' } }
          - heard:
              listen: { to: { any: [ { with: { type: a } }, { with: { type: b } } ], until: length == 2 }, read: envelope }
              foreach:
                do:
                  - pause: { wait: { seconds: 2 } }
                  - asked: { call: http, with: { method: get, endpoint: 'https://example.com/asked' }, output: { as: $item } }
              output: { as: '\${ map(.type) }' }
  - last: { set: { all: '\${ . }' } }`);

const events = ['a', 'b'].map((type) => ({ specversion: '1.0' as const, id: type, source: 'urn:t', type }));
const outside = (task: ExternalTask, _command: RunTask, seen: number): Answer =>
  task.kind === 'http' && task.endpoint.endsWith('retried') && seen < 3
    ? { error: communication(503) }
    : { output: { seen: seen > 0 } };
const call = "{ call: http, with: { method: get, endpoint: 'https://example.com/branch' } }";
const branch = (n: number) => `{ b${n}: { do: [ { get${n}: ${call} }, { note${n}: { set: { n: ${n} } } } ] } }`;
/** Four branches, each a call followed by a step. */
const forked = workflow(
  `do: [ { parts: { fork: { branches: [ ${[1, 2, 3, 4].map(branch).join(', ')} ] } } }, { last: ${call} } ]`,
);
/** Index of the branch whose call responds. If that branch has ended, the result is stale. */
const outcomeOf = (at: number, fails: boolean): EngineEvent => {
  const where = { step: `/do/0/parts/fork/branches/${at}/b${at + 1}/do/0/get${at + 1}`, attempt: 1, at: START };
  return fails
    ? { type: 'task-failed', error: communication(503), ...where }
    : { type: 'task-completed', output: { at }, ...where };
};
const outcomesOfBranches = fc
  .tuple(fc.shuffledSubarray([0, 1, 2, 3, 0, 9], { minLength: 1 }), fc.nat({ max: 6 }))
  .map(([order, failing]) => order.map((at) => outcomeOf(at, at === failing)));
const endOf = ({ output, error, ended }: Played) => ({ output, error, ended });

describe('interleaving', () => {
  it('has the same result for any order, repetition and delay', async () => {
    const expected = endOf(await play({ definition: concurrent, evaluate, outside, events }));
    expect(expected).toMatchObject({ output: { all: [{ seen: true }, { sum: 3 }, ['a', 'b']] }, ended: true });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), fc.boolean(), async (choices, through) => {
        let at = 0;
        const next = (): number => choices[at++ % choices.length] ?? 0;
        const played = await play({
          definition: concurrent,
          evaluate,
          outside,
          events,
          through,
          choose: (possible) => {
            // The timeout of one day is cancelled, never reached.
            const sensible = possible.filter(
              (event) => event.type !== 'timer-fired' || !event.timer.includes('#timeout'),
            );
            const chosen = sensible[next() % Math.max(1, sensible.length)];
            return chosen === undefined ? 0 : possible.indexOf(chosen);
          },
          // Delivers an earlier event again.
          disturb: (past) => (past.length === 0 ? [] : [past[next() % past.length] as EngineEvent]),
        });
        expect(endOf(played)).toEqual(expected);
        // No two starts of a step have the same attempt, and each result was delivered to its own attempt.
        const begun = played.tasks.map(({ step, attempt }) => `${step}#${attempt}`);
        expect(new Set(begun).size).toBe(begun.length);
      }),
      { numRuns: 60 },
    );
  });

  it('ignores events that it does not wait for', async () => {
    const interpreter = createInterpreter({ evaluate });
    const begun = await interpreter.start(concurrent, contextOf(), START);
    const strange: EngineEvent[] = [
      { type: 'task-completed', step: '/do/9/none', attempt: 1, output: 1, at: START },
      {
        type: 'task-completed',
        step: '/do/0/parts/fork/branches/0/retried/try/0/get',
        attempt: 2,
        output: 1,
        at: START,
      },
      { type: 'timer-fired', timer: '/do/0/parts#timeout.1', at: START },
      { type: 'event-received', wait: 'none', events: [], at: START },
      { type: 'continue', at: START },
    ];
    for (const event of strange) {
      const after = await interpreter.advance(concurrent, contextOf(), begun.state, event);
      expect(after).toEqual({ state: begun.state, commands: [], steps: [], idle: false });
    }
  });

  it('handles events given together like events one after another', async () => {
    const interpreter = createInterpreter({ evaluate });
    const begun = await interpreter.start(forked, contextOf(), START);
    await fc.assert(
      fc.asyncProperty(outcomesOfBranches, async (events) => {
        const together = await interpreter.advance(forked, contextOf(), begun.state, events);
        let apart: Advance = { ...begun, commands: [], steps: [] };
        for (const event of events) {
          const next = await interpreter.advance(forked, contextOf(), apart.state, event);
          apart = { ...next, commands: [...apart.commands, ...next.commands], steps: [...apart.steps, ...next.steps] };
        }
        expect(together).toEqual(apart);
      }),
      { numRuns: 40 },
    );
  });

  it('leaves the events after those that used up the steps of an advance', async () => {
    const events = [0, 1, 2].map((branch) => outcomeOf(branch, false));
    const { state } = await createInterpreter({ evaluate }).start(forked, contextOf(), START);
    const few = createInterpreter({ evaluate, stepsPerAdvance: 2 });
    const { left, steps } = await few.advance(forked, contextOf(), state, events);
    expect(left).toEqual(events.slice(2));
    expect(steps.map(({ name, status }) => `${name} ${status}`)).toContain('note2 completed');
  });

  it('throws instead of failing the run while the evaluator is busy; the same call works later', async () => {
    let busy = true;
    const interpreter = createInterpreter({
      evaluate: (expression, input, variables) =>
        busy ? Promise.reject(new ExpressionsBusyError('busy')) : evaluate(expression, input, variables),
    });
    const definition = workflow("do: [ { a: { wait: PT1S } }, { b: { set: { n: '${ . }' } } } ]");
    const begun = await interpreter.start(definition, contextOf({ input: 5 }), START);
    const kept = JSON.stringify(begun.state);
    const fire = () =>
      interpreter.advance(definition, contextOf(), begun.state, {
        type: 'timer-fired',
        timer: '/do/0/a#wait.1',
        at: START,
      });
    await expect(fire()).rejects.toThrow('busy');
    expect(JSON.stringify(begun.state)).toBe(kept);
    busy = false;
    expect((await fire()).commands).toEqual([{ type: 'complete', output: { n: 5 } }]);
  });

  it('stays ended', async () => {
    const interpreter = createInterpreter({ evaluate });
    const definition = workflow('do: [ { a: { set: { n: 1 } } } ]');
    const { state } = await interpreter.start(definition, contextOf(), START);
    expect(await interpreter.advance(definition, contextOf(), state, { type: 'recover', at: START })).toEqual({
      state,
      commands: [],
      steps: [],
      idle: true,
    });
  });
});

/** Tasks that roughly follow the language: valid, unusual and invalid ones. */
const text = fc.constantFrom(
  '.',
  '${ .a }',
  '${ . + 1 }',
  'x',
  '.a.b',
  '${ $item }',
  '${ error("x") }',
  '',
  '${',
  'PT1S',
  'get',
);
const scalar = fc.oneof(text, fc.integer({ min: -2, max: 5 }), fc.boolean(), fc.constant(null));
const anything: fc.Arbitrary<JsonValue> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'set', 'do'), scalar, { maxKeys: 3 }),
) as fc.Arbitrary<JsonValue>;
/** An own property of this name would make the object look like a promise. */
const DIRECTIVE = 'then';
const name = fc.constantFrom('a', 'b', 'c', 'd/e', 'f[1]');
const next = fc.constantFrom('continue', 'exit', 'end', 'a', 'b', 'nowhere');

const { tasks } = fc.letrec<{ task: JsonValue; tasks: JsonValue; plain: JsonValue }>((tie) => ({
  tasks: fc.array(
    fc.tuple(name, tie('task')).map(([key, task]) => ({ [key]: task })),
    { maxLength: 3 },
  ) as fc.Arbitrary<JsonValue>,
  task: fc
    .tuple(
      tie('plain'),
      fc.record(
        {
          [DIRECTIVE]: next,
          if: text,
          input: fc.record({ from: anything }),
          output: fc.record({ as: anything }),
          export: fc.record({ as: text }),
          timeout: fc.record({ after: text }),
        },
        { requiredKeys: [] },
      ),
      fc.nat({ max: 3 }),
    )
    .map(([plain, more, often]) =>
      often === 0
        ? { ...(plain as object), ...more }
        : { ...(plain as object), [DIRECTIVE]: more[DIRECTIVE] ?? 'continue' },
    ) as fc.Arbitrary<JsonValue>,
  plain: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ set: anything }),
    fc.record({ wait: fc.oneof(text, fc.record({ seconds: scalar })) }),
    fc.record({ raise: fc.record({ error: fc.oneof(text, fc.record({ type: text, status: scalar })) }) }),
    fc.record({ emit: fc.record({ event: fc.record({ with: anything }) }) }),
    fc.record({
      call: fc.constantFrom('http', 'f', 'none'),
      with: fc.oneof(anything, fc.record({ method: fc.constant('get'), endpoint: text })),
    }),
    fc.record({ listen: fc.record({ to: fc.oneof(anything, fc.record({ one: fc.record({ with: anything }) })) }) }),
    fc.record({
      listen: fc.record({
        to: fc.record({
          any: fc.constant([]),
          until: fc.oneof(
            text,
            fc.constantFrom('length == 2', 'false'),
            fc.constant({ any: [{ with: { type: 'b' } }] }),
          ),
        }),
      }),
      foreach: fc.record(
        { do: tie('tasks'), output: fc.record({ as: anything }), export: fc.record({ as: text }) },
        { requiredKeys: [] },
      ),
    }),
    fc.record({ run: fc.oneof(anything, fc.record({ script: fc.record({ code: text }) })) }),
    fc.record({
      switch: fc.array(fc.record({ case: fc.record({ when: text, [DIRECTIVE]: next }) }), { maxLength: 2 }),
    }),
    fc.record({ do: tie('tasks') }),
    fc.record({ for: fc.record({ in: fc.constantFrom('[1, 2]', '.', '.a') }), do: tie('tasks') }),
    fc.record({ fork: fc.record({ branches: tie('tasks'), compete: fc.boolean() }) }),
    fc.record({
      try: tie('tasks'),
      catch: fc.oneof(
        anything,
        fc.record({ do: tie('tasks') }),
        fc.constantFrom<JsonValue>({ retry: {} }, { retry: { delay: 'PT1S', limit: { attempt: { count: 2 } } } }),
      ),
    }),
    anything,
  ) as fc.Arbitrary<JsonValue>,
}));

const definitions = fc.record({
  do: tasks,
  use: fc.constant({ functions: { f: { set: { n: 1 } } } }),
}) as fc.Arbitrary<WorkflowDefinition>;

describe('any definition', () => {
  it('ends or waits, never throws, and is deterministic', async () => {
    const interpreter = createInterpreter({ evaluate, stepsPerAdvance: 50, stepsPerRun: 200 });
    await fc.assert(
      fc.asyncProperty(definitions, fc.boolean(), async (definition, fails) => {
        const once = (through: boolean): Promise<Played> =>
          play({
            definition,
            evaluate,
            interpreter,
            through,
            context: { input: { a: 1 } },
            events: [...events, { specversion: '1.0', id: 'c', source: 'urn:t', type: 'c', data: { a: 1 } }],
            outside: () => (fails ? { error: communication(500) } : { output: { a: 2 } }),
          });
        const [one, two] = [await once(true), await once(false)];
        expect(two.commands).toEqual(one.commands);
        expect(two.steps).toEqual(one.steps);
        expect(one.advances.map(({ state }) => openSteps(state).map(keyOf).sort())).toEqual(openAfterEach(one));
        // Everything started outside has ended when the run ends.
        if (one.ended) expect(openAtEnd(one)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

const keyOf = ({ step, attempt }: Pick<StepRecord, 'step' | 'attempt'>) => `${step}#${attempt}`;

/** Steps that are in progress after each advance, according to their records. */
function openAfterEach({ advances }: Played): string[][] {
  const open = new Set<string>();
  return advances.map(({ steps }) => {
    for (const step of steps) {
      if (step.status === 'running' || step.status === 'waiting') open.add(keyOf(step));
      else open.delete(keyOf(step));
    }
    return [...open].sort();
  });
}

/** Timers, waits and tasks that are open when a run has ended. Fired timers and answered tasks are not counted. */
function openAtEnd(played: Played): readonly string[] {
  const open = new Set<string>();
  for (const command of played.commands) {
    if (command.type === 'listen') open.add(command.wait);
    else if (command.type === 'stop-listening') open.delete(command.wait);
  }
  const statuses = new Map(played.steps.map(({ step, attempt, status }) => [keyOf({ step, attempt }), status]));
  for (const [step, status] of statuses) if (status === 'running' || status === 'waiting') open.add(step);
  return [...open];
}
