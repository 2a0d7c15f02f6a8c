import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#api/clients/typescript/src/index.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { ADDRESS_LIMIT } from '../served.ts';
import type { BuiltPackage } from './built-package.ts';
import { built, served } from './client-and-server.ts';

/**
 * Errors and retries of the client, against a real server and through a relay that simulates failures. Run by
 * client.test.ts.
 */

let errors: BuiltPackage['main'];
let client: Client;

beforeAll(() => {
  errors = built.main;
  client = clientOf(served.proxy.url);
});

const clientOf = (baseUrl: string, apiKey = served.key, timeoutSeconds = 60) =>
  built.main.createClient({ apiKey, baseUrl, timeoutSeconds });

describe('what the service refuses', () => {
  test('is an error by its status, with the envelope and the id of the request', async () => {
    const missing = await client.workflows.get('there-is-none').catch((error) => error);
    expect(missing).toBeInstanceOf(errors.ServiceNotFoundError);
    expect(missing).toMatchObject({ name: 'ServiceNotFoundError', status: 404, issues: [{ code: 'not_found' }] });
    expect(missing.requestId).toBe(missing.envelope.requestId);
    await expect(client.workflows.list({ limit: 0 })).rejects.toBeInstanceOf(errors.ServiceValidationError);
    const stranger = clientOf(served.url, 'tl_unknown.secret');
    await expect(stranger.workflows.list()).rejects.toBeInstanceOf(errors.ServiceAuthError);
    const reader = clientOf(served.url, served.readerKey);
    expect(await reader.workflows.list()).toMatchObject({ limit: 50 });
    await expect(reader.workflows.run('client-double')).rejects.toBeInstanceOf(errors.ServiceForbiddenError);
  });
});

describe('what goes wrong on the way', () => {
  test('429 is tried again when the service says', async () => {
    served.proxy.seen();
    served.proxy.fail({ status: 429, headers: { 'retry-after': '1' } });
    const started = performance.now();
    expect(await client.workflows.list()).toMatchObject({ limit: 50 });
    expect(performance.now() - started).toBeGreaterThan(1000);
    expect(served.proxy.seen()).toHaveLength(2);
  });

  test('429 for an hour is thrown at once', async () => {
    served.proxy.fail({ status: 429, headers: { 'retry-after': '3600' }, body: '<html>' });
    const error = await client.workflows.list().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(errors.ServiceRateLimitError);
    expect(error).toMatchObject({ retryAfter: 3600, envelope: undefined });
    expect(served.proxy.seen()).toHaveLength(1);
  });

  test('a run whose answer was lost is not run twice, with files neither', async () => {
    const before = (await client.workflows.executions.list('client-double')).total;
    for (const core of [undefined, new Blob(['x'.repeat(100_000)])]) {
      served.proxy.seen();
      served.proxy.fail({ status: 502, after: true });
      const run = await client.workflows.run('client-double', { number: 1, ...(core === undefined ? {} : { core }) });
      const [first, second] = served.proxy.seen();
      expect(first?.headers['idempotency-key']).toBe(second?.headers['idempotency-key']);
      expect(await client.workflows.executions.get(run.executionId)).toMatchObject({ id: run.executionId });
    }
    expect((await client.workflows.executions.list('client-double')).total).toBe(before + 2);
  });

  test('a broken connection is tried again for what can be repeated', async () => {
    served.proxy.seen();
    served.proxy.fail({ cut: true }, { cut: true, afterBytes: 5 });
    expect(await client.workflows.list()).toMatchObject({ limit: 50 });
    expect(served.proxy.seen()).toHaveLength(3);
    served.proxy.fail({ cut: true });
    const created = client.agents.create({ name: 'Once', slug: 'once' });
    await expect(created).rejects.toMatchObject({ name: 'ServiceConnectionError', idempotencyKey: undefined });
    expect(served.proxy.seen()).toHaveLength(1);
  });

  // Regression: POSTs with an Idempotency-Key were not retried after a broken connection, so the run continued under an
  // id that no client knew.
  test('a run whose connection broke after it was accepted is found by its key', async () => {
    const before = (await client.workflows.executions.list('client-double')).total;
    served.proxy.seen();
    served.proxy.fail({ cut: true, afterBytes: 0 }, { cut: true, afterBytes: 5 });
    const run = await client.workflows.run('client-double', { number: 1 }, { waitForCompletion: 30 });
    expect(run).toMatchObject({ status: 'completed', result: { doubled: 2 } });
    const keys = served.proxy.seen().map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(Array(3).fill(expect.stringMatching(/./)));
    expect(new Set(keys).size).toBe(1);
    expect((await client.workflows.executions.list('client-double')).total).toBe(before + 1);
    const [source] = (await client.workflows.executions.list('client-double')).data;
    for (const repeat of [
      () => client.workflows.executions.rerun(source?.id ?? ''),
      () => client.workflows.executions.cancel(source?.id ?? ''),
    ]) {
      served.proxy.fail({ cut: true, afterBytes: 0 });
      expect(await repeat()).toMatchObject({ executionId: expect.stringMatching(/^exec_/) });
    }
    expect((await client.workflows.executions.list('client-double')).total).toBe(before + 2);
  });

  test('an error whose outcome is unknown names the key under which the run can be repeated', async () => {
    const patient = built.main.createClient({ apiKey: served.key, baseUrl: served.proxy.url, maxRetries: 0 });
    served.proxy.fail({ cut: true, afterBytes: 0 });
    const lost = await patient.workflows.run('client-double', { number: 3 }).catch((error) => error);
    expect(lost).toBeInstanceOf(errors.ServiceConnectionError);
    expect(lost.message).toContain(`cannot reach ${served.proxy.url}, or the connection broke: `);
    const [sent] = served.proxy.seen().slice(-1);
    expect(lost.idempotencyKey).toBe(sent?.headers['idempotency-key']);
    expect(lost.message).toContain(`repeat it with the idempotency key ${lost.idempotencyKey}`);
    const before = (await client.workflows.executions.list('client-double')).total;
    await client.workflows.run('client-double', { number: 3 }, { idempotencyKey: lost.idempotencyKey });
    expect((await client.workflows.executions.list('client-double')).total).toBe(before);
  });

  test('silence ends in a time-out, a signal at once with its reason', async () => {
    served.proxy.fail({ silent: true }, { silent: true });
    const hasty = clientOf(served.proxy.url, served.key, 0.3);
    await expect(hasty.workflows.list()).rejects.toBeInstanceOf(errors.ServiceTimeoutError);
    const reason = new Error('no longer wanted');
    const ending = new AbortController();
    served.proxy.seen();
    const listing = client.workflows.list({}, { signal: ending.signal }).catch((error) => error);
    await waitFor('the request', () => served.proxy.seen().length > 0);
    ending.abort(reason);
    expect(await listing).toBe(reason);
    await expect(client.workflows.list({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('a held run that the service lets go of is polled', async () => {
    const { executionId } = await client.workflows.run('client-pause');
    served.proxy.seen();
    served.proxy.fail({ status: 201, body: JSON.stringify({ executionId }) });
    const ended = await client.workflows.executions.runAndWait('client-pause');
    expect(ended).toEqual({ executionId, status: 'completed', result: { rested: true }, error: null });
    const [first, ...polls] = served.proxy.seen();
    expect(first?.url).toContain('wait_for_completion=60');
    expect(new Set(polls.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  // Regression: six waits that polled every two seconds exceeded the limit of their address, and the error did not name
  // the run that continued.
  test('ten waits with one key are one held request each, and none is refused', async () => {
    const runner = clientOf(served.proxy.url, served.runnerKey);
    const runs = await Promise.all(Array.from({ length: 10 }, () => runner.workflows.run('client-wait')));
    const ids = runs.map(({ executionId }) => executionId);
    served.proxy.seen();
    const reads: string[] = [];
    const waits: ReturnType<typeof runner.workflows.executions.runAndWait>[] = [];
    for (const executionId of ids) {
      // The service ends the long poll immediately, so the rest of the wait consists of reads.
      served.proxy.fail({ status: 201, body: JSON.stringify({ executionId }) });
      waits.push(runner.workflows.executions.runAndWait('client-wait'));
      await waitFor('a held read', () => {
        reads.push(...served.proxy.seen().flatMap(({ method, url }) => (method === 'GET' ? [url] : [])));
        return reads.length >= waits.length;
      });
    }
    await Promise.all(ids.map((id) => clientOf(served.url).workflows.executions.cancel(id)));
    const ended = await Promise.all(waits);
    expect(ended.map(({ status }) => status)).toEqual(Array(10).fill('cancelled'));
    expect(ended.map(({ executionId }) => executionId).sort()).toEqual(ids.toSorted());
    expect(reads.map((url) => url.split('?')[1])).toEqual(Array(10).fill('wait_for_completion=60'));
    expect(served.proxy.seen()).toEqual([]);
    // A client that polls quickly has its own budget, which exceeds the limit of the address.
    const polls = Array.from({ length: ADDRESS_LIMIT + 10 }, () => runner.workflows.executions.get(ids[0] ?? ''));
    expect(await Promise.all(polls)).toHaveLength(ADDRESS_LIMIT + 10);
  });

  test('a wait that is refused names its run', async () => {
    const { executionId } = await client.workflows.run('client-pause');
    const refused = { status: 429, headers: { 'retry-after': '3600' } };
    served.proxy.fail({ status: 201, body: JSON.stringify({ executionId }) }, refused);
    const error = await client.workflows.executions.runAndWait('client-pause').catch((thrown) => thrown);
    expect(error).toBeInstanceOf(errors.ServiceRateLimitError);
    expect(error).toMatchObject({ executionId, retryAfter: 3600 });
    expect(error.message).toContain(`the run ${executionId} goes on`);
  });

  test('a client that expects bytes more often than they come in a held answer polls', async () => {
    const hasty = clientOf(served.url, served.key, 10);
    const ended = await hasty.workflows.executions.runAndWait('client-pause');
    expect(ended).toMatchObject({ status: 'completed', result: { rested: true } });
  });

  test('a wait ends with its signal, between two polls too', async () => {
    const ending = new AbortController();
    const reason = new Error('enough');
    const waiting = client.workflows.executions.runAndWait(
      'client-wait',
      {},
      { timeoutSeconds: 60 },
      { signal: ending.signal },
    );
    const outcome = waiting.catch((error) => error);
    const { executions } = client.workflows;
    // Runs of other tests were cancelled.
    const { id } = await waitFor('the run', async () =>
      (await executions.list('client-wait')).data.find(({ status }) => status !== 'cancelled'),
    );
    ending.abort(reason);
    expect(await outcome).toBe(reason);
    // The wait has ended, but not the run.
    await executions.cancel(id);
    await waitFor('the end of the run', async () => (await executions.get(id)).status === 'cancelled');
  });

  test('a response that does not come from the service is reported', async () => {
    served.proxy.seen();
    served.proxy.fail({ status: 200, body: '<html>' });
    await expect(client.workflows.list()).rejects.toBeInstanceOf(errors.ServiceResponseError);
    served.proxy.fail({ status: 302, headers: { location: 'http://127.0.0.1:1/' } });
    await expect(client.workflows.list()).rejects.toMatchObject({ name: 'ServiceError', status: 302 });
    expect(served.proxy.seen()).toHaveLength(2);
  });
});
