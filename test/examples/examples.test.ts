import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Detection } from '#schemas/detection.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { runCommand } from '../deploy/cli/run-command.ts';

/** Runs the examples on a server started as a new user starts it, with the commands of their README. */

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
/** Kernel log of a forking server under attack. */
const CAPTURE = fileURLToPath(new URL('../../deploy/demo/attack.kmsg', import.meta.url));
const HOST = 'web-1';
const TOKEN = 'isolation-token-of-this-run';
let home: string;
let server: TraplineProcess;
let environment: Record<string, string>;
let outside: Awaited<ReturnType<typeof startOutside>>;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-examples-'));
  outside = await startOutside();
  server = await startTrapline(
    ['start'],
    { LOG_LEVEL: 'warn', CODEHOST_URL: outside.url, OUTBOUND_ALLOW: new URL(outside.url).host },
    home,
  );
  await server.logged('Trapline serves');
  const { url } = JSON.parse(await readFile(path.join(home, 'data', 'server.json'), 'utf8')) as { url: string };
  const key = (await readFile(path.join(home, 'data', 'operator.key'), 'utf8')).trim();
  environment = { TRAPLINE_URL: url, TRAPLINE_API_KEY: key };
});
afterAll(async () => {
  await server.endAll();
  outside.stop();
  await removeHome(home);
});

/** Starts a stand-in for the third-party endpoints that the examples use: code host, firewall and chat. */
async function startOutside() {
  const calls: { path: string; authorization: string | undefined; key: string | undefined; body: string }[] = [];
  let failures = 2;
  const answering = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { pathname } = new URL(request.url ?? '/', 'http://outside');
    const { authorization, 'idempotency-key': key } = request.headers;
    calls.push({ path: pathname, authorization, key: String(key), body });
    response.setHeader('content-type', 'application/json');
    if (pathname === '/quarantine' && failures-- > 0) response.writeHead(503).end('{}');
    else if (pathname.startsWith('/repos/')) response.writeHead(404).end('{"message":"Not Found"}');
    else response.end(JSON.stringify({ received: authorization ?? null }));
  });
  await new Promise<void>((resolve) => answering.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(answering.address() as AddressInfo).port}`;
  return {
    url,
    calls,
    stop: () => {
      answering.closeAllConnections();
      answering.close();
    },
  };
}

const run = (...args: string[]) => runCommand(args, { environment });
async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args);
  if (stdout === '') throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
  return JSON.parse(stdout) as T;
}
async function call<T>(route: string, method = 'GET', body?: object): Promise<T> {
  const response = await fetch(environment.TRAPLINE_URL + route, {
    method,
    headers: { 'x-api-key': environment.TRAPLINE_API_KEY ?? '', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
const executionsOf = async (slug: string) =>
  (
    await call<{ data: { id: string; status: string; triggerType: string; result: never }[] }>(
      `/api/v1/workflows/${slug}/executions`,
    )
  ).data;
const detections = async () =>
  (
    await (
      await fetch(`${environment.TRAPLINE_URL}/api/detections?format=ndjson&hostname=${HOST}`, {
        headers: { 'x-api-key': environment.TRAPLINE_API_KEY ?? '' },
      })
    ).text()
  )
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Detection);

describe('the example workflows', () => {
  test('are pushed unchanged, and again without a change', async () => {
    const first = await run('workflows', 'push', path.join(EXAMPLES, 'workflows'));
    expect(first).toMatchObject({ code: 0 });
    const lines = first.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual(
      ['enrich-detection', 'isolate-host', 'nightly-report'].map((workflow) => ({
        workflow,
        version: '1',
        released: true,
      })),
    );
    const second = await run('workflows', 'push', path.join(EXAMPLES, 'workflows'));
    expect(second.stdout).not.toContain('"released":true');
    for (const { workflow } of lines) expect((await run('workflows', 'graph', workflow)).stdout).toContain('flowchart');
  });

  test('enrich-detection starts once for a detection and comments on it', async () => {
    await waitFor('its trigger', async () => {
      const { data } = await call<{ data: unknown[] }>('/api/v1/workflows/enrich-detection/triggers');
      return data.length > 0;
    });
    const bootTime = new Date(Date.now() - 3_600_000).toISOString();
    const sent = await run(
      ...[
        'detect',
        '--from',
        CAPTURE,
        '--to',
        environment.TRAPLINE_URL ?? '',
        '--hostname',
        HOST,
        '--boot-time',
        bootTime,
      ],
    );
    expect(sent).toMatchObject({ code: 0 });
    const [execution] = await waitFor('the execution', async () => {
      const found = await executionsOf('enrich-detection');
      return found.length > 0 && found.every(({ status }) => status === 'completed') && found;
    });
    expect(execution).toMatchObject({
      triggerType: 'detection',
      result: { note: expect.stringContaining('Suggested verdict: true positive') },
    });
    const { detection: id } = (execution?.result ?? {}) as { detection?: string };
    // An example adds a comment. It never acknowledges or closes a detection: the analyst decides that.
    const commented = await call<Detection>(`/api/detections/${id}`);
    expect(commented).toMatchObject({ status: 'new', verdict: null });
    expect(commented.note).toContain('Suggested verdict: true positive');
    const { data: history } = await call<{ data: object[] }>(`/api/detections/${id}/history`);
    expect(history).toMatchObject([{ automation: 'enrich-detection', executionId: execution?.id }]);
    expect(outside.calls.some(({ path: asked }) => asked.startsWith('/repos/trapline/'))).toBe(true);
    const followed = await run('executions', 'follow', execution?.id ?? '');
    expect(followed).toMatchObject({ code: 0 });
    expect(followed.stdout).toMatch(/status {2}running[\s\S]*judge {2}completed[\s\S]*status {2}completed/);
  });

  test('isolate-host asks, waits, retries, and never reveals its token', async () => {
    await call('/api/v1/secrets/isolation_token', 'PUT', { value: TOKEN });
    const [detection] = await detections();
    const controlUrl = `${outside.url}/quarantine`;
    const input = JSON.stringify({ hostname: HOST, controlUrl, detection: detection?.id });
    const { executionId } = await json<{ executionId: string }>('workflows', 'run', 'isolate-host', '--input', input);
    await waitFor('it to wait', async () =>
      (await executionsOf('isolate-host')).some(({ id, status }) => id === executionId && status === 'waiting'),
    );
    const decide = (execution: string) =>
      call('/api/v1/events', 'POST', {
        specversion: '1.0',
        id: `decision-of-${execution}`,
        source: 'soc',
        type: 'org.trapline.isolation.decided',
        data: { execution, approved: true, by: 'ann' },
      });
    await decide('exec_another');
    await decide(executionId);
    expect((await run('executions', 'follow', executionId)).code).toBe(0);
    const shown = (await run('executions', 'show', executionId)).stdout;
    expect(JSON.parse(shown)).toMatchObject({
      status: 'completed',
      result: { isolated: true, decision: { by: 'ann' }, answer: { received: 'Bearer [secret]' } },
    });
    expect(shown).not.toContain(TOKEN);
    const asked = outside.calls.filter(({ path: at }) => at === '/quarantine');
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    const [noted] = await detections();
    expect(noted?.note).toContain('approved by ann');
    expect(noted).toMatchObject({ status: detection?.status, verdict: null });
  });

  test('isolate-host does nothing without an approval in time', async () => {
    const hasty = (await readFile(path.join(EXAMPLES, 'workflows', 'isolate-host.yaml'), 'utf8'))
      .replace('name: isolate-host', 'name: isolate-host-hastily')
      .replace('hours: 4', 'seconds: 1');
    await writeFile(path.join(home, 'hasty.yaml'), hasty);
    expect((await run('workflows', 'push', path.join(home, 'hasty.yaml'))).code).toBe(0);
    const input = JSON.stringify({ hostname: HOST, controlUrl: `${outside.url}/never` });
    const ended = await json<{ status: string; result: object }>(
      ...['workflows', 'run', 'isolate-host-hastily', '--input', input, '--wait'],
    );
    expect(ended).toMatchObject({ status: 'completed', result: { isolated: false, decision: { approved: false } } });
    expect(outside.calls.some(({ path: at }) => at === '/never')).toBe(false);
  });

  test('nightly-report counts, writes and delivers', async () => {
    const input = JSON.stringify({ deliverTo: `${outside.url}/chat` });
    const ended = await json<{ status: string; result: { markdown: string; total: number } }>(
      'workflows',
      'run',
      'nightly-report',
      '--input',
      input,
      '--wait',
    );
    expect(ended).toMatchObject({ status: 'completed', result: { total: 2 } });
    expect(ended.result.markdown).toContain('| host | detections | crashes |');
    const delivered = outside.calls.find(({ path: at }) => at === '/chat');
    expect(JSON.parse(delivered?.body ?? '')).toEqual({ text: ended.result.markdown });
    const { data } = await call<{ data: { kind: string; nextAt: string }[] }>(
      '/api/v1/workflows/nightly-report/triggers',
    );
    expect(data).toMatchObject([{ kind: 'schedule', nextAt: expect.stringContaining('T03:00:00.000Z') }]);
  });
});

describe('the example agents', () => {
  test('are created, and updated after a change', async () => {
    for (const name of ['triage', 'host-timeline']) {
      const folder = path.join(EXAMPLES, 'agents', name);
      expect(await json('agents', 'push', folder)).toEqual({
        agent: name,
        created: true,
        files: ['AGENT.md', 'agent.js', 'output.schema.json'],
        removed: [],
      });
      expect(await json('agents', 'push', folder)).toEqual({ agent: name, created: false, files: [], removed: [] });
    }
    const folder = path.join(home, 'mirrored');
    await cp(path.join(EXAMPLES, 'agents', 'triage'), folder, { recursive: true });
    await writeFile(path.join(folder, 'agent.yaml'), 'slug: mirrored\nname: Mirrored\nconfig: { runtime: script }\n');
    await writeFile(path.join(folder, 'Notes.md'), 'a');
    await json('agents', 'push', folder);
    await rm(path.join(folder, 'Notes.md'));
    await rm(path.join(folder, 'output.schema.json'));
    await writeFile(path.join(folder, 'notes.md'), 'b');
    const gone = ['Notes.md', 'output.schema.json'];
    const kept = await run('agents', 'push', folder, '--keep');
    expect(kept.code).not.toBe(0);
    expect(await json('agents', 'push', folder)).toMatchObject({ files: ['notes.md'], removed: gone });
    expect(await json('agents', 'push', folder)).toMatchObject({ files: [], removed: [] });
    const { files } = await call<{ files: { path: string; version: number }[] }>('/api/v1/agents/mirrored/files');
    expect(files.map(({ path: at }) => at)).toEqual(['AGENT.md', 'agent.js', 'notes.md']);
    await rm(path.join(folder, 'notes.md'));
    expect(await json('agents', 'push', folder, '--keep')).toMatchObject({ files: [], removed: [] });
    expect(await json('agents', 'push', folder)).toMatchObject({ files: [], removed: ['notes.md'] });
    expect((await run('agents', 'list')).stdout).toMatch(/host-timeline[\s\S]*triage|triage[\s\S]*host-timeline/);
  });

  test('triage classifies a real attack', async () => {
    const [detection] = await detections();
    const ended = await json<{ executionId: string; result: object }>(
      'agents',
      'run',
      'triage',
      '--input',
      JSON.stringify({ detection: detection?.id }),
      '--wait',
    );
    expect(ended).toMatchObject({ status: 'completed', result: { detection: detection?.id, assessment: 'attack' } });
    expect(JSON.parse((await run('executions', 'show', ended.executionId)).stdout)).toMatchObject({
      execution: { schemaValid: true },
    });
  });

  test('host-timeline writes one row per minute', async () => {
    const ended = await json<{ result: { events: number; programs: string[] } }>(
      'agents',
      'run',
      'host-timeline',
      '--input',
      JSON.stringify({ hostname: HOST }),
      '--wait',
    );
    expect(ended).toMatchObject({ status: 'completed', result: { truncated: false, programs: ['edge-gw'] } });
    expect(ended.result.events).toBeGreaterThan(100);
  });
});
