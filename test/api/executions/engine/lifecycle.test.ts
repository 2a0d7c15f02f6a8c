import { describe, expect, it } from 'vitest';
import type { StepRecord } from '#api/executions/engine/contract/port.ts';
import { lifecycleOf } from '#api/executions/engine/lifecycle.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { contextOf, START } from './play.ts';

const lifecycle = (asked: JsonValue) =>
  lifecycleOf(
    {
      document: {
        dsl: '1.0.3',
        namespace: 'samples',
        name: 'pets',
        version: '1.2.3',
        metadata: { lifecycleEvents: asked },
      },
    },
    contextOf(),
  );
const record = (over: Partial<StepRecord>): StepRecord => ({
  step: '/do/0/a',
  name: 'a',
  kind: 'set',
  status: 'running',
  attempt: 1,
  at: START,
  ...over,
});
const types = (records: readonly StepRecord[], asked: JsonValue = true) =>
  lifecycle(asked)
    ?.steps(records)
    .map(({ type }) => type.replace('io.serverlessworkflow.', ''));

describe('lifecycle events', () => {
  it('are sent if the definition enables them', () => {
    expect(lifecycle(false)).toBeUndefined();
    expect(lifecycle(null)).toBeUndefined();
    expect(lifecycle('workflow')?.steps([record({})])).toEqual([]);
  });

  it('name the workflow and its definition', () => {
    expect(lifecycle(true)?.started()).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      source: '/api/v1/workflows/executions/exec_1',
      type: 'io.serverlessworkflow.workflow.started.v1',
      subject: 'pets-exec_1.samples',
      time: START,
      datacontenttype: 'application/json',
      data: {
        name: 'pets-exec_1.samples',
        definition: { name: 'pets', namespace: 'samples', version: '1.2.3' },
        startedAt: START,
      },
    });
  });

  it('report every change of a task once', () => {
    const changes = [record({}), record({ status: 'completed', output: { n: 1 } })];
    expect(types([...changes, record({ status: 'skipped' })])).toEqual([
      'task.created.v1',
      'task.started.v1',
      'task.completed.v1',
    ]);
    expect(lifecycle(true)?.steps(changes).at(-1)?.data).toEqual({
      workflow: 'pets-exec_1.samples',
      task: '/do/0/a',
      completedAt: START,
      output: { n: 1 },
    });
    expect(types([record({ status: 'cancelled' }), record({ status: 'failed' })])).toEqual([
      'task.cancelled.v1',
      'task.faulted.v1',
    ]);
    expect(types([record({ attempt: 2 })])).toEqual(['task.retried.v1', 'task.started.v1']);
  });

  it('report the correlation of events', () => {
    const listen = { kind: 'listen' };
    const changes = [record({ ...listen, status: 'waiting' }), record({ ...listen, status: 'completed', output: [] })];
    expect(types(changes, 'workflow')).toEqual([
      'workflow.correlation-started.v1',
      'workflow.correlation-completed.v1',
    ]);
  });

  it('have the same id after a crash, and another for each attempt', () => {
    const ids = (attempt: number) =>
      lifecycle(true)
        ?.steps([record({ attempt })])
        .map(({ id }) => id);
    expect(ids(1)).toEqual(ids(1));
    expect(new Set([...(ids(1) ?? []), ...(ids(2) ?? [])]).size).toBe(4);
  });

  it('report the end, without an output that is too large', () => {
    const error = { type: 'x', status: 500 };
    expect(lifecycle(true)?.ended({ error }, START).data).toEqual({
      name: 'pets-exec_1.samples',
      faultedAt: START,
      error,
    });
    expect(lifecycle(true)?.ended({ result: 'x'.repeat(70_000) }, START).data).toEqual({
      name: 'pets-exec_1.samples',
      completedAt: START,
    });
  });
});
