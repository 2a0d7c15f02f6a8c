import { type AddressInfo, connect, createServer } from 'node:net';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { ClickHouseFailure, isTemporary } from '#analytics/clickhouse/failure.ts';
import { freePort } from '#test/support/services/free-ports.mjs';
import { useClickHouse } from '#test/support/use-services.ts';

const service = await useClickHouse({ migrated: false });
const clickhouse = createClickHouse(service);

async function failureOf(promise: Promise<unknown>): Promise<ClickHouseFailure> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ClickHouseFailure) return error;
  throw new Error('expected a ClickHouseFailure', { cause: error });
}

test('a failure has a code and an operation; the text of the server, which may quote rows, stays out of logs', async () => {
  const failure = await failureOf(clickhouse.rows('do a thing', "SELECT throwIf(1, 'secret row')"));
  expect(failure).toMatchObject({ code: '395', temporary: false, operation: 'do a thing' });
  expect(failure.serverText).toContain('secret row');
  expect(inspect(failure)).not.toContain('secret row');
  expect(JSON.stringify(failure)).not.toContain('secret row');
});

test('classifies errors as temporary only if they resolve without a change', async () => {
  const unreachable = createClickHouse({ ...service, url: `http://127.0.0.1:${await freePort()}` });
  expect(await failureOf(unreachable.rows('ask a closed port', 'SELECT 1'))).toMatchObject({
    code: 'ECONNREFUSED',
    temporary: true,
  });
  await unreachable.close();
  const slow = createClickHouse({ ...service, requestTimeoutMs: 100 });
  expect((await failureOf(slow.rows('wait', 'SELECT sleep(1)'))).temporary).toBe(true);
  await slow.close();
  const memory = clickhouse.rows('use memory', 'SELECT groupArray(number) FROM numbers(10000000) FORMAT Null', {
    settings: { max_memory_usage: '1000000' },
  });
  expect(isTemporary(await failureOf(memory))).toBe(false); // A FORMAT clause given twice is a bug in our query
  const large = clickhouse.command('use memory', 'SELECT groupArray(number) FROM numbers(10000000) FORMAT Null', {
    settings: { max_memory_usage: '1000000' },
  });
  expect(await failureOf(large)).toMatchObject({ code: '241', temporary: true });
  // The errors of a statement on a cluster whose keeper has restarted, and of an insert into a replica whose keeper
  // has.
  for (const code of ['529', '667']) {
    const restarted = clickhouse.rows('write', `SELECT throwIf(1, 'not yet', ${code}::Int16)`, {
      settings: { allow_custom_error_code_in_throwif: 1 },
    });
    expect(await failureOf(restarted)).toMatchObject({ code, temporary: true });
  }
  expect(await failureOf(clickhouse.rows('read', 'SELECT * FROM nowhere'))).toMatchObject({
    code: '60',
    temporary: false,
  });
  const stranger = createClickHouse({ ...service, password: 'wrong' });
  expect(await failureOf(stranger.rows('log in', 'SELECT 1'))).toMatchObject({ code: '516', temporary: false });
  await stranger.close();
  expect(isTemporary(new TypeError('a mistake of ours'))).toBe(false);
  expect(isTemporary(Object.assign(new Error('x'), { code: 'EPIPE' }))).toBe(true);
});

test('repeats a read once on a connection that the server has just closed, but not a write', async () => {
  let requests = 0;
  /** Proxies the first request of each connection and closes the connection at the second. */
  const proxy = createServer((socket) => {
    const target = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => socket.destroy());
    let used = false;
    socket.on('error', () => target.destroy()).on('close', () => target.destroy());
    socket.on('data', (chunk) => {
      if (!chunk.toString('latin1').startsWith('POST ')) return target.write(chunk);
      requests += 1;
      if (used) return socket.resetAndDestroy();
      used = true;
      return target.write(chunk);
    });
    target.pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const proxied = createClickHouse({ ...service, url, maxConnections: 1 });
  const text = async () => {
    let all = '';
    for await (const chunk of proxied.bytes('read', 'SELECT 7 FORMAT CSV')) all += chunk.toString();
    return all;
  };
  expect(await text()).toBe('7\n');
  expect(await text()).toBe('7\n');
  expect(await proxied.rows('read', 'SELECT 7 AS seven')).toEqual([{ seven: 7 }]);
  expect(requests).toBe(5);
  expect(await failureOf(proxied.command('write', 'SELECT 7 FORMAT Null'))).toMatchObject({ code: 'ECONNRESET' });
  await proxied.close();
  await new Promise((resolve) => proxy.close(resolve));
});

test('an incomplete response is a failure, never a shorter result', async () => {
  const query = "SELECT number, toString(throwIf(number = 400000, 'midway')) AS x FROM numbers(500000)";
  const read = async (rows: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of rows);
  };
  await failureOf(read(clickhouse.stream('stream', query)));
  await failureOf(read(clickhouse.bytes('read bytes', `${query} FORMAT RowBinary`)));
  await failureOf(clickhouse.rows('read', query));
});

test('returns 64-bit integers as digits, keeps values out of the query text, and returns RFC 3339 times', async () => {
  const hostile = "'; DROP TABLE x; -- \\ \n é";
  const [row] = await clickhouse.rows(
    'read',
    "SELECT {n:UInt64} AS n, {s:String} AS s, toDateTime64('2026-01-02 03:04:05.000000006', 9, 'UTC') AS t",
    {
      params: { n: 18446744073709551615n, s: hostile },
    },
  );
  expect(row).toEqual({ n: '18446744073709551615', s: hostile, t: '2026-01-02T03:04:05.000000006Z' });
  await clickhouse.close();
});
