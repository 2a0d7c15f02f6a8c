import { describe, expect, it } from 'vitest';
import { rawAddress } from '#api/executions/engine/interpreter/catalog.ts';
import { checkSupported } from '#api/executions/engine/release/check-supported.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { createCatalogTask } from '#api/executions/tasks/catalog/catalog-task.ts';
import { taskContext } from '../tasks/task-context.ts';
import { type Played, type PlayOptions, play, useEvaluate, workflow } from './play.ts';

const evaluate = useEvaluate();
const WITH_CATALOG = `
use: { secrets: [ key ], catalogs: { shared: { endpoint: { uri: 'https://catalog.example.org/' } } } }
do:
  - greet: { call: 'greet:1.0.0@shared', with: { name: '\${ .name }' } }`;

const run = (fetched: JsonValue, more: Partial<PlayOptions> = {}): Promise<Played> =>
  play({
    definition: workflow(WITH_CATALOG),
    evaluate,
    context: { input: { name: 'ann' }, secretNames: ['key'] },
    outside: (task) => ({ output: task.kind === 'catalog' ? fetched : null }),
    ...more,
  });

describe('a function of a catalog', () => {
  it('is fetched, and runs with `with` as its input', async () => {
    const played = await run({ set: { text: '${ "hello " + .name }' } });
    expect(played.output).toEqual({ text: 'hello ann' });
    expect(played.tasks.map(({ task, step }) => [task, step])).toEqual([
      [
        { kind: 'catalog', document: { endpoint: 'https://catalog.example.org/functions/greet/1.0.0/function.yaml' } },
        '/do/0/greet/catalog/greet:1.0.0@shared',
      ],
    ]);
    // The trace names the function that ran.
    expect(
      played.steps.find(({ step, status }) => step.includes('/catalog/') && status === 'completed')?.output,
    ).toEqual({ set: { text: '${ "hello " + .name }' } });
  });

  it('can be named by its address, also on GitHub pages', async () => {
    const called = 'https://github.com/o/r/tree/main/functions/greet/1.0.0/function.yaml';
    const definition = workflow(`do: [ { greet: { call: '${called}', with: { name: ann } } } ]`);
    const played = await run({ set: { text: '${ "hello " + .name }' } }, { definition });
    expect(checkSupported(definition)).toEqual([]);
    expect(played.output).toEqual({ text: 'hello ann' });
    const endpoint = 'https://raw.githubusercontent.com/o/r/refs/heads/main/functions/greet/1.0.0/function.yaml';
    expect(played.tasks.map(({ task }) => task)).toEqual([{ kind: 'catalog', document: { endpoint } }]);
  });

  it('can wait, and the fetched function stays', async () => {
    const played = await run({ do: [{ pause: { wait: 'PT1S' } }, { end: { set: { done: true } } }] });
    expect(played.output).toEqual({ done: true });
    expect(played.tasks).toHaveLength(1);
  });

  it('cannot access secrets of the workflow', async () => {
    const seen = await run({ set: { secrets: '${ $secrets }' } });
    expect(seen.output).toEqual({ secrets: {} });
    const endpoint = { uri: 'https://x', authentication: { bearer: { use: 'key' } } };
    const taken = await run({ call: 'http', with: { method: 'get', endpoint } });
    expect(taken.error).toMatchObject({ status: 403, detail: 'a function of a catalog cannot use the secret "key"' });
  });

  it('fails the call if it is not a task', async () => {
    expect((await run('text')).error).toMatchObject({ status: 400 });
  });

  it('is validated like the functions of a definition', async () => {
    const value = { call: 'grpc:unknown' };
    const documents = { text: async () => '', value: async () => value };
    await expect(
      createCatalogTask({ documents })({ kind: 'catalog', document: { endpoint: 'https://x' } }, taskContext()),
    ).rejects.toMatchObject({
      error: {
        detail: expect.stringContaining('the function of the catalog: call: grpc:unknown: Unknown function'),
      },
    });
  });

  it('must have inline schemas, because a release does not fetch those of a function', async () => {
    const value = { set: { x: 1 }, output: { schema: { resource: { endpoint: 'https://host.test/a' } } } };
    const documents = { text: async () => '', value: async () => value };
    await expect(
      createCatalogTask({ documents })({ kind: 'catalog', document: { endpoint: 'https://x' } }, taskContext()),
    ).rejects.toMatchObject({
      error: { detail: expect.stringContaining('A function from a catalog must contain its schemas inline') },
    });
    const played = await run(value);
    expect(played.error).toMatchObject({ detail: expect.stringContaining('was not fetched when the workflow was') });
  });

  it('is rejected at release without its catalog', () => {
    expect(checkSupported(workflow(WITH_CATALOG))).toEqual([]);
    expect(checkSupported(workflow(`do: [ { a: { call: 'f:1@none' } } ]`))).toMatchObject([{ key: 'call.catalog' }]);
  });
});

it.each([
  ['https://github.com/o/r', 'https://raw.githubusercontent.com/o/r/refs/heads/main'],
  ['https://github.com/o/r/tree/next/sub', 'https://raw.githubusercontent.com/o/r/refs/heads/next/sub'],
  ['https://gitlab.com/g/s/p/-/tree/v1', 'https://gitlab.com/g/s/p/-/raw/v1'],
  ['https://example.org/catalog', 'https://example.org/catalog'],
])('finds the files of %s at %s', (root, raw) => {
  expect(rawAddress(root)).toBe(raw);
});
