import { afterEach, describe, expect, it } from 'vitest';
import { FORMATS, formatsOf, writeRecords } from '#analytics/formats/formats.ts';
import { RECORD_KINDS, type RecordKind, type RecordOf } from '#analytics/formats/record.ts';
import { deadLetter, detection, events, landed, record } from '#test/analytics/formats/samples.ts';
import { type RecordServer, startRecordServer } from '../record-server.ts';
import { runCommand } from '../run-command.ts';

const RECORDS: { [K in RecordKind]: RecordOf[K][] } = {
  events: [
    landed,
    { ...landed, ...record(events.fatalSignal, { hostname: null }) },
    { ...landed, ...record(events.suppressed) },
  ],
  detections: [detection, { ...detection, id: `det_${'f'.repeat(32)}`, event: null }],
  'dead-letters': [deadLetter, { ...deadLetter, raw: Buffer.from([0xff, 0, 10]) }],
};

function written(kind: RecordKind, format: keyof typeof FORMATS, times = 1): string {
  const records = Array.from({ length: times }, () => RECORDS[kind]).flat();
  return [...writeRecords(FORMATS[format], kind, records as RecordOf[typeof kind][])].join('');
}

let server: RecordServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('trapline query', () => {
  for (const kind of RECORD_KINDS) {
    it.each(formatsOf(kind))(`prints ${kind} as %s exactly as the format writes the records`, async (output) => {
      server = await startRecordServer((_, reply) => reply.end(written(kind, 'ndjson')));
      const { environment } = server;
      const { code, stdout } = await runCommand(['query', kind, '--output', output], { environment });
      expect(stdout).toBe(written(kind, output));
      expect(code).toBe(0);
      expect(server.requests[0]?.url.pathname).toBe(`/api/${kind}`);
      expect(server.requests[0]?.url.searchParams.get('format')).toBe('ndjson');
    });
  }

  it('prints Parquet exactly as the server writes it', async () => {
    server = await startRecordServer((_, reply) => reply.end('PAR1 bytes PAR1'));
    const { environment } = server;
    const from = '2026-03-01T00:00:00Z';
    const written = await runCommand(['query', 'events', '--output', 'parquet', '--from', from], { environment });
    expect(written).toMatchObject({ code: 0, stdout: 'PAR1 bytes PAR1' });
    expect(Object.fromEntries(server.requests[0]?.url.searchParams ?? [])).toEqual({ format: 'parquet', from });
    const limited = await runCommand(['query', 'events', '--output', 'parquet', '--limit', '5'], { environment });
    expect(limited).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit') });
    expect((await runCommand(['query', 'dead-letters', '--output', 'parquet'], { environment })).code).toBe(2);
  });

  it('returns an event unchanged, with unknown fields, spaces and digits', async () => {
    const raw =
      '{"version":"V1", "x":{",\\"event\\":":1e0},"timestamp":"2026-01-01T00:00:00+01:00","event":{"type":"LinuxSuppressedCallback","count":18446744073709551615,"facility":"Kern","function_name":"f","level":"Info","y":0.10}}';
    server = await startRecordServer((_, reply) => reply.end(`${FORMATS.ndjson.event?.({ ...landed, raw })}\n`));
    const { stdout } = await runCommand(['query', 'events', '--output', 'v1'], { environment: server.environment });
    expect(stdout).toBe(`${raw}\n`);
  });

  // Regression: `query` rejected events in this dialect, although a server with the dialect enabled had accepted them.
  it('reads events with short signal names', async () => {
    const raw = `{"version":"V1","timestamp":"2026-01-01T00:00:00Z","event":{"type":"LinuxFatalSignal","facility":"Kern","level":"Info","signal":"Segv","stack_dump":{}}}`;
    server = await startRecordServer((_, reply) => reply.end(`${FORMATS.ndjson.event?.({ ...landed, raw })}\n`));
    const { environment } = server;
    expect((await runCommand(['query', 'events', '--output', 'v1'], { environment })).stdout).toBe(`${raw}\n`);
    expect((await runCommand(['query', 'events', '--output', 'cef'], { environment })).stdout).toContain('=SIGSEGV ');
  });

  it('sends the filters', async () => {
    server = await startRecordServer((_, reply) => reply.end());
    const filters = [
      '--from',
      '2026-01-01T00:00:00Z',
      '--hostname',
      'web 1',
      '--severity',
      'high,critical',
      '--exclude',
      'hostname=web 2',
      '--exclude',
      'hostname=web 3,web 4',
      '--exclude',
      'file=/srv/a=b',
      '--q',
      'a&b',
      '--limit',
      '5',
    ];
    await runCommand(['query', 'detections', ...filters], { environment: server.environment });
    expect(Object.fromEntries(server.requests[0]?.url.searchParams ?? [])).toEqual({
      from: '2026-01-01T00:00:00Z',
      hostname: 'web 1',
      severity: 'high,critical',
      'exclude.hostname': 'web 2,web 3,web 4',
      'exclude.file': '/srv/a=b',
      q: 'a&b',
      limit: '6',
      format: 'ndjson',
    });
  });

  it('accepts relative times', async () => {
    server = await startRecordServer((_, reply) => reply.end());
    const before = Date.now();
    await runCommand(['query', 'events', '--from', '24h'], { environment: server.environment });
    const from = Date.parse(server.requests[0]?.url.searchParams.get('from') ?? '');
    expect(from).toBeGreaterThanOrEqual(before - 86_400_000);
    expect(from).toBeLessThanOrEqual(Date.now() - 86_400_000);
  });

  it('limits a table to a hundred rows with a note; other formats have all rows', async () => {
    server = await startRecordServer((_, reply) => reply.end(written('events', 'ndjson', 50)));
    const { environment } = server;
    const table = await runCommand(['query', 'events'], { environment });
    expect(table.stdout.split('\n')).toHaveLength(1 + 100 + 1);
    expect(table.stderr).toContain('showing the newest 100; use --limit for more');
    const all = await runCommand(['query', 'events', '--output', 'v1'], { environment });
    expect(all.stdout.split('\n')).toHaveLength(150 + 1);
    expect(all.stderr).toBe('');
    const some = await runCommand(['query', 'events', '--output', 'csv', '--limit', '7'], { environment });
    expect(some.stdout.split('\r\n')).toHaveLength(1 + 7 + 1);
  });

  it('stops an endless response at the limit', async () => {
    server = await startRecordServer((_, reply) => {
      const more = (): void => {
        while (!reply.destroyed && reply.write(written('events', 'ndjson', 100)));
      };
      reply.on('drain', more);
      more();
    });
    const { code, stdout } = await runCommand(['query', 'events', '--output', 'json', '--limit', '2000'], {
      environment: server.environment,
    });
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(2001);
    expect(server.requests[0]?.url.searchParams.has('limit')).toBe(false);
  });

  it('fits a table to the terminal width', async () => {
    server = await startRecordServer((_, reply) => reply.end(written('events', 'ndjson')));
    const { stdout } = await runCommand(['query', 'events'], { environment: server.environment, columns: 50 });
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(50);
  });

  it('prints the header of an empty table', async () => {
    server = await startRecordServer((_, reply) => reply.end());
    const { stdout } = await runCommand(['query', 'detections', '--output', 'csv'], {
      environment: server.environment,
    });
    expect(stdout).toBe(`${FORMATS.csv.header?.('detections')}\r\n`);
  });

  it('fails for an incomplete response, so that a truncated list does not look complete', async () => {
    server = await startRecordServer((_, reply) => {
      reply.write(written('events', 'ndjson'), () => reply.destroy());
    });
    const { code, stderr } = await runCommand(['query', 'events', '--output', 'json'], {
      environment: server.environment,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('ended its response before it was complete');
  });

  it('prints the error of the server', async () => {
    server = await startRecordServer((_, reply) => reply.end());
    const environment = { ...server.environment, TRAPLINE_API_KEY: 'k1.wrong' };
    const { code, stdout, stderr } = await runCommand(['query', 'events'], { environment });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('401 this key is not valid (request r1)');
  });

  it.each([
    [400, 'invalid_value', 2],
    [503, 'unavailable', 1],
  ])('a %d of the server determines the exit code: wrong usage or failure', async (status, code, exitCode) => {
    const issues = [{ field: 'from', message: 'not now', code, severity: 'error' }];
    server = await startRecordServer((_, reply) =>
      reply.writeHead(status).end(JSON.stringify({ issues, requestId: 'r2' })),
    );
    const ended = await runCommand(['query', 'events', '--from', 'x'], { environment: server.environment });
    expect(ended.code).toBe(exitCode);
    expect(ended.stderr).toContain(`${status} from: not now (request r2)`);
  });

  it.each([
    [['query', 'events'], 'no server runs'],
    [['query', 'events', '--output', 'xml'], 'Allowed choices are table, json, ndjson, csv, v1, cef, ecs, ocsf'],
    [['query', 'dead-letters', '--output', 'cef'], 'Allowed choices are table, json, ndjson, csv'],
    [['query', 'events', '--limit', '0'], 'Must be a positive whole number'],
    [['query', 'events', '--severity', 'high'], 'unknown option'],
    [['query', 'events', '--exclude', 'severity=low'], 'Must be FILTER=VALUE with one of hostname'],
    [['query', 'events', '--exclude', 'hostname'], 'Must be FILTER=VALUE'],
    [['query', 'dead-letters', '--exclude', 'code=version_unknown'], 'unknown option'],
    [['query'], 'Usage: trapline query'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stdout, stderr } = await runCommand(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
