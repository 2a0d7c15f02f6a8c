import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { detectionsAsParquet } from '#analytics/clickhouse/detections-parquet.ts';
import { outputKind } from '#api/outputs/kind-registry.ts';
import type { EncodeParquet } from '#api/outputs/reach.ts';
import { failure, outboundFetch, soon } from '#test/api/outputs/deliveries.ts';
import { message } from '#test/api/outputs/fixture.ts';
import { httpReceiver, type Received } from '#test/api/outputs/receivers.ts';
import { runApp } from '#test/api/running-app.ts';
import { pythonEnvironment } from '#test/support/services/python-environment.ts';
import { accepted, detection, trap, useDatabase } from './fixture.ts';

/**
 * Reads the file with pyarrow and prints the types, the number of row groups, and the rows with times in nanoseconds.
 */
const READ = `
import json, sys
import pyarrow as pa, pyarrow.parquet as pq
file = pq.ParquetFile(sys.argv[1])
table = file.read()
def plain(value):
    return value.value if isinstance(value, pa.TimestampScalar) else value.as_py()
rows = [{name: plain(table[name][at]) for name in table.column_names} for at in range(table.num_rows)]
print(json.dumps({"types": {f.name: str(f.type) for f in table.schema}, "groups": file.num_row_groups, "rows": rows}))
`;

interface Read {
  readonly types: Readonly<Record<string, string>>;
  readonly groups: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const python = await pythonEnvironment(['pyarrow==26.0.1']);
const { clickhouse, store } = await useDatabase();

async function readParquet(bytes: ArrayBuffer | Buffer): Promise<Read & { readonly text: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-parquet-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'records.parquet');
  await writeFile(file, new Uint8Array(bytes));
  const { stdout } = await promisify(execFile)(python, ['-c', READ, file], { maxBuffer: 2 ** 26 });
  return { ...(JSON.parse(stdout) as Read), text: stdout };
}

const BIG = 2n ** 64n - 1n;
const LANE = { topic: 'events.v1', partition: 0 };
const block = store.openEvents(LANE, Date.now());
for (const offset of [0, 1, 2])
  block.append({
    offset,
    accepted: accepted(
      trap(offset === 1 ? 'a\u202Eb "\n' : 'nginx', 7, BIG - BigInt(offset)),
      'web-1',
      1_772_323_200 + offset,
      123_456_789,
    ),
    raw: Buffer.from('{"version":"V1"}'),
    ingestId: '',
  });
await store.landEvents(block, 2);
await store.landDetections([
  detection({ id: `det_${'1'.repeat(32)}`, uid: 1_000 }),
  detection({ id: `det_${'2'.repeat(32)}`, hostname: null, severity: 'low' }),
]);

test('events are exported as Parquet with exact 64-bit addresses, times in UTC, and the filters applied', async () => {
  const { get } = await runApp({ deps: { clickhouse } });
  const response = await get('/api/events?format=parquet&hostname=web-1');
  expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="events.parquet"');
  const { types, rows, text } = await readParquet(await response.arrayBuffer());
  expect(types).toMatchObject({
    ip: 'uint64',
    sp: 'uint64',
    location: 'uint64',
    vmastart: 'uint64',
    offset: 'uint64',
    hostname: 'string',
    raw: 'string',
    timestamp: 'timestamp[ns, tz=UTC]',
    received: 'timestamp[ms, tz=UTC]',
  });
  expect(types).not.toHaveProperty('ingest_id');
  expect(rows).toHaveLength(3);
  expect(text).toContain(`"ip": ${BIG}`);
  expect(text).toContain(`"ip": ${BIG - 2n}`);
  expect(text).toContain('"timestamp": 1772323200123456789');
  expect(rows.map(({ procname }) => procname).sort()).toEqual(['a\u202Eb "\n', 'nginx', 'nginx']);
  const one = await readParquet(
    await (await get('/api/events?format=parquet&procname=nginx&to=2026-03-01T00:00:01Z')).arrayBuffer(),
  );
  expect(one.rows).toHaveLength(1);
  const none = await readParquet(await (await get('/api/events?format=parquet&hostname=none')).arrayBuffer());
  expect([none.rows, none.types]).toEqual([[], types]);
});

test('detections are exported as Parquet with lists, also by the type in Accept', async () => {
  const { get } = await runApp({ deps: { clickhouse } });
  const response = await get('/api/detections', { accept: 'application/vnd.apache.parquet' });
  const { types, rows } = await readParquet(await response.arrayBuffer());
  expect(types).toMatchObject({
    firstSeen: 'timestamp[ns, tz=UTC]',
    uid: 'uint64',
    values: 'list<element: string not null>',
  });
  expect(rows).toHaveLength(2);
  expect(rows.find(({ uid }) => uid === 1_000)).toMatchObject({
    ruleId: 'instruction-pointer-probe',
    severity: 'high',
    values: ['0x1', '0x2'],
    attack: [{ tactic: 'TA0002', technique: 'T1203' }],
    status: 'new',
    event: expect.stringContaining('18446744073709551615'),
  });
  const low = await readParquet(await (await get('/api/detections?format=parquet&severity=low')).arrayBuffer());
  expect(low.rows).toMatchObject([{ hostname: null }]);
});

test('rejects a page of Parquet, and Parquet of dead letters', async () => {
  const { get } = await runApp({ deps: { clickhouse } });
  for (const path of [
    '/api/events?format=parquet&limit=5',
    '/api/dead-letters?format=parquet',
    `/api/detections/det_${'1'.repeat(32)}?format=parquet`,
  ])
    expect((await get(path)).status).toBe(400);
});

test('an incomplete file of the server is an error, not a short file', async () => {
  const cut = {
    ...clickhouse,
    async *bytes() {
      yield Buffer.from('PAR1 and half a row group');
    },
  };
  const { get } = await runApp({ deps: { clickhouse: cut } });
  await expect(get('/api/events?format=parquet').then((response) => response.arrayBuffer())).rejects.toThrow();
});

test('an output writes one Parquet object for each delivery; a repeat replaces it', async () => {
  const stored = new Map<string, Received>();
  let status = 200;
  const receiver = await httpReceiver((received) => {
    if (status === 200) stored.set(received.target, received);
    return { status, body: status === 200 ? '' : '<Error><Code>SlowDown</Code></Error>' };
  });
  const settings = {
    bucket: 'lake',
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${receiver.port}`,
    accessKeyId: 'AK',
  };
  const parquet: EncodeParquet = (messages, signal) => detectionsAsParquet(clickhouse, messages, signal);
  const reach = { ...outboundFetch(), parquet };
  const output = outputKind('s3-parquet').open({
    reach,
    outputId: 'out_1',
    settings,
    secrets: { secretAccessKey: 'secret' },
  });
  const batch = [message({ procname: 'a"\u202E\n' }), message({ uid: 7, risk: null }, 'closed')];
  await output.deliver(batch.slice(0, 1), soon());
  expect(await output.deliver(batch, soon())).toMatchObject({ answer: expect.stringContaining('2 rows') });
  expect([...stored.keys()]).toEqual([
    `/lake/detections/dt=2026-03-01/120000123-${batch[0]?.detection.id}-1-opened-out_1.parquet`,
  ]);
  const [object] = stored.values();
  expect(object).toMatchObject({ method: 'PUT', headers: { 'content-type': 'application/vnd.apache.parquet' } });
  expect(object?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/eu-central-1\/s3\/aws4_request, /,
  );
  expect(object?.headers['x-amz-content-sha256']).toBe(
    createHash('sha256')
      .update(object?.bytes ?? '')
      .digest('hex'),
  );
  const { types, rows } = await readParquet(object?.bytes ?? Buffer.alloc(0));
  expect(types).toMatchObject({ uid: 'uint64', at: 'timestamp[ms, tz=UTC]', firstSeen: 'timestamp[ns, tz=UTC]' });
  expect(rows).toMatchObject([
    { cause: 'opened', procname: 'a"\u202E\n', uid: null, attack: [{ technique: 'T1203' }] },
    { cause: 'closed', uid: 7, event: expect.stringContaining('18446744073709551615') },
  ]);
  for (status of [301, 400, 403, 404, 500, 503])
    expect(await failure(output.deliver(batch, soon()))).toMatchObject({ kind: 'temporary' });
});
