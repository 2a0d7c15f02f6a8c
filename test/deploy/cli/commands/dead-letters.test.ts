import { afterEach, describe, expect, it } from 'vitest';
import { FORMATS } from '#analytics/formats/formats.ts';
import { deadLetter } from '#test/analytics/formats/samples.ts';
import { type RecordServer, startRecordServer } from '../record-server.ts';
import { runCommand } from '../run-command.ts';

const ID = 'events.v1~0~7';

let server: RecordServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function showing(raw: Buffer): Promise<RecordServer> {
  server = await startRecordServer((_, reply) => reply.end(FORMATS.json.deadLetter?.({ ...deadLetter, raw })));
  return server;
}

describe('trapline dead-letters', () => {
  it('lists dead letters with ids, codes and the beginning of their payload', async () => {
    server = await startRecordServer((_, reply) => reply.end(`${FORMATS.ndjson.deadLetter?.(deadLetter)}\n`));
    const { stdout } = await runCommand(['dead-letters', 'list', '--code', 'malformed_json'], {
      environment: server.environment,
    });
    expect(stdout).toMatch(/^RECEIVED \(UTC\) +ID +CODE/);
    expect(stdout).toContain(`${ID} `);
    expect(server.requests[0]?.url.searchParams.get('code')).toBe('malformed_json');
  });

  it('shows one without control characters', async () => {
    const { environment, requests } = await showing(Buffer.from('{"a":\n\x1b[2J'));
    const { code, stdout } = await runCommand(['dead-letters', 'show', ID], { environment });
    expect(code).toBe(0);
    expect(stdout).toContain('code      malformed_json\n');
    expect(stdout).toContain('bytes     10, text\n');
    expect(stdout).toContain('\n\n{"a":\n\\x1b[2J\n');
    expect(requests[0]?.url.pathname).toBe('/api/dead-letters/events.v1~0~7');
  });

  it('shows binary payload as base64, and prints the original bytes on request', async () => {
    const { environment } = await showing(Buffer.from([0xff, 0xfe]));
    expect((await runCommand(['dead-letters', 'show', ID], { environment })).stdout).toContain('\n//4=\n');
    await server?.close();
    const text = await showing(Buffer.from('\x1b[2J\n'));
    const raw = await runCommand(['dead-letters', 'show', '--raw', ID], { environment: text.environment });
    expect(raw.stdout).toBe('\x1b[2J\n');
  });

  describe('redrive', () => {
    async function answering(results: object[]): Promise<RecordServer> {
      server = await startRecordServer((_, reply) => reply.end(JSON.stringify({ results })));
      return server;
    }
    const bodies = (): unknown[] => (server?.requests ?? []).map(({ body }) => JSON.parse(body));

    it('sends ids and prints the result of each', async () => {
      const { environment } = await answering([
        { id: ID, outcome: 'accepted' },
        { id: 'events.v1~0~8', outcome: 'rejected', code: 'wrong_type', path: '$.event', message: 'no \x1b good' },
      ]);
      const { code, stdout, stderr } = await runCommand(['dead-letters', 'redrive', ID, 'events.v1~0~8'], {
        environment,
      });
      expect(bodies()).toEqual([{ ids: [ID, 'events.v1~0~8'] }]);
      expect(stdout).toBe(`${ID}  accepted\nevents.v1~0~8  rejected  wrong_type  $.event  no \\x1b good\n`);
      expect(stderr).toContain('2 retried, 1 not accepted');
      expect(code).toBe(1);
    });

    it('exits with 0 if all are accepted, now or before', async () => {
      const results = [
        { id: ID, outcome: 'accepted' },
        { id: ID, outcome: 'already_redriven' },
      ];
      const { environment } = await answering(results);
      const { code, stdout } = await runCommand(['dead-letters', 'redrive', ID, '--output', 'json'], { environment });
      expect(stdout).toBe(results.map((result) => `${JSON.stringify(result)}\n`).join(''));
      expect(code).toBe(0);
    });

    it('sends a thousand ids per request', async () => {
      const { environment } = await answering([]);
      const ids = Array.from({ length: 2001 }, (_, offset) => `events.v1~0~${offset}`);
      await runCommand(['dead-letters', 'redrive', ...ids], { environment });
      expect(bodies()).toEqual([{ ids: ids.slice(0, 1000) }, { ids: ids.slice(1000, 2000) }, { ids: ids.slice(2000) }]);
    });

    it.each([
      [
        ['--code', 'wrong_type', '--status', 'open', '--limit', '5'],
        { filter: { code: 'wrong_type', status: 'open' }, limit: 5 },
      ],
      [['--all'], { filter: {}, limit: 1000 }],
    ])('selects by filter: %j', async (options, body) => {
      const { environment } = await answering([]);
      await runCommand(['dead-letters', 'redrive', ...options], { environment });
      expect(bodies()).toEqual([body]);
    });

    it('continues to the last page or to --limit', async () => {
      const page = Array.from({ length: 1000 }, () => ({ id: ID, outcome: 'accepted' }));
      let asked = 0;
      server = await startRecordServer((_, reply) => {
        asked += 1;
        reply.end(JSON.stringify({ results: page, nextCursor: asked % 3 === 0 ? null : `after ${asked}` }));
      });
      const { environment } = server;
      const all = await runCommand(['dead-letters', 'redrive', '--all'], { environment });
      expect(all).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('3000 retried, 0 not accepted'),
      });
      expect(all.stderr).not.toContain('more records remain');
      const bounded = await runCommand(['dead-letters', 'redrive', '--all', '--limit', '1500'], { environment });
      expect(bounded.stderr).toContain('more records remain');
      expect(bodies()).toEqual([
        { filter: {}, limit: 1000 },
        { filter: {}, limit: 1000, cursor: 'after 1' },
        { filter: {}, limit: 1000, cursor: 'after 2' },
        { filter: {}, limit: 1000 },
        { filter: {}, limit: 500, cursor: 'after 4' },
      ]);
    });
  });

  it.each([
    [['dead-letters', 'redrive'], 'give either ids or filters'],
    [['dead-letters', 'redrive', ID, '--all'], 'not both'],
    [['dead-letters', 'redrive', 'x'], 'x is not an id'],
    [['dead-letters', 'show', 'x'], 'x is not an id'],
    [['dead-letters', 'show', ID], 'no server runs'],
    [['dead-letters'], 'Usage: trapline dead-letters'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stdout, stderr } = await runCommand(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
