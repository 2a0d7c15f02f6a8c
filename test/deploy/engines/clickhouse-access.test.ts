import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouseEngine, startClickHouseEngine } from '#deploy/engines/clickhouse.ts';
import { askEngine } from '#deploy/engines/clickhouse-request.ts';
import { asAccount } from './engine-report.ts';

const isRoot = process.getuid?.() === 0;
const STRANGER = 65_532;

describe.each(['auto', 'off'] as const)('with isolation %s', (isolation) => {
  let home = '';
  let engine: ClickHouseEngine;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'trapline-access-'));
    await chmod(home, 0o755);
    await mkdir(join(home, 'clickhouse', 'data'), { recursive: true, mode: 0o777 });
    engine = await startClickHouseEngine({ dataDir: join(home, 'clickhouse'), isolation });
  });
  afterAll(async () => {
    await engine.stop();
    await rm(home, { recursive: true, force: true });
  });

  const ask = (query: string, user = engine.user, password = engine.password) =>
    askEngine({ socketPath: engine.socketPath, user, password }, query, AbortSignal.timeout(30_000));

  test('has no TCP, UDP or raw sockets', () => {
    const own = new Set(
      readdirSync(`/proc/${engine.pid}/fd`).flatMap((fd) => {
        const target = readlinkSync(`/proc/${engine.pid}/fd/${fd}`);
        return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
      }),
    );
    expect(own.size).toBeGreaterThan(0);
    const inodes = ['tcp', 'tcp6', 'udp', 'udp6', 'raw', 'raw6'].flatMap((table) =>
      readFileSync(`/proc/${engine.pid}/net/${table}`, 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/\s+/)[9] ?? ''),
    );
    expect(inodes.filter((inode) => own.has(inode))).toEqual([]);
  });

  test('has no network with isolation', () => {
    const interfaces = readFileSync(`/proc/${engine.pid}/net/dev`, 'utf8').trim().split('\n').slice(2);
    const ownNamespace = statSync(`/proc/${engine.pid}/ns/net`).ino !== statSync('/proc/self/ns/net').ino;
    expect(ownNamespace).toBe(engine.isolated);
    if (isolation === 'off') expect(engine.isolated).toBe(false);
    if (engine.isolated) expect(interfaces.map((line) => line.trim().split(':')[0])).toEqual(['lo']);
    if (engine.isolated)
      expect(readFileSync(`/proc/${engine.pid}/net/route`, 'utf8').trim().split('\n')).toHaveLength(1);
  });

  test('every thread has dropped all capabilities and, as root, changed the account', () => {
    for (const thread of readdirSync(`/proc/${engine.pid}/task`)) {
      const status = readFileSync(`/proc/${engine.pid}/task/${thread}/status`, 'utf8');
      const uid = isRoot ? 65_521 : process.getuid?.();
      expect(status).toMatch(new RegExp(`^Uid:\t${uid}\t${uid}\t${uid}\t${uid}$`, 'm'));
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
        expect(status).toMatch(new RegExp(`^${set}:\t0+$`, 'm'));
      if (engine.isolated) expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    }
  });

  test('no other account can enter its directories, not even one with the uid of the engine', async () => {
    const directory = join(home, 'clickhouse');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'data')).mode & 0o777).toBe(0o700);
    expect(statSync(dirname(engine.socketPath)).mode & 0o777).toBe(0o700);
    expect(statSync(engine.socketPath).mode & 0o077).toBe(0);
    if (!isRoot) return;
    const attack = `
      const { connect } = require('node:net');
      const { readdirSync, readlinkSync, readFileSync } = require('node:fs');
      const attempts = [
        () => readdirSync(${JSON.stringify(directory)}), () => readdirSync(${JSON.stringify(join(directory, 'data'))}),
        () => readlinkSync('/proc/${engine.pid}/cwd'), () => readdirSync('/proc/${engine.pid}/fd'),
        () => readFileSync('/proc/${engine.pid}/environ'), () => readFileSync('/proc/${engine.pid}/mem'),
      ];
      const found = attempts.map((attempt) => { try { attempt(); return 'done'; } catch (error) { return error.code; } });
      connect(${JSON.stringify(engine.socketPath)})
        .on('error', (error) => console.log(JSON.stringify([...found, error.code])))
        .on('connect', () => { console.log(JSON.stringify([...found, 'connected'])); process.exit(); });`;
    for (const uid of [STRANGER, 65_521]) {
      const [file = '', ...args] = [...asAccount(uid), process.execPath, '-e', attack];
      const { stdout } = await promisify(execFile)(file, args);
      expect(JSON.parse(stdout)).toEqual(Array(7).fill('EACCES'));
    }
  });

  test('responds only to our credentials, and serves no other page', async () => {
    expect(await ask('SELECT 1')).toEqual({ status: 200, body: '1\n' });
    for (const [user, password] of [
      ['trapline', 'wrong'],
      ['trapline', ''],
      ['default', ''],
      ['default', engine.password],
    ] as const)
      expect(await ask('SELECT 1', user, password)).toMatchObject({
        status: expect.toBeOneOf([401, 403]),
        body: expect.stringContaining('Authentication failed'),
      });
    expect(await pageOf('/?user=default&query=SELECT+1')).toBeOneOf([401, 403]);
    for (const path of ['/ping', '/play', '/dashboard', '/replicas_status', '/metrics'])
      expect(await pageOf(path)).toBe(404);
  });

  test('our own user cannot access files, hosts, programs, accounts or other parts of the engine', async () => {
    for (const statement of [
      "SELECT * FROM file('/etc/passwd', 'LineAsString')",
      "INSERT INTO FUNCTION file('stolen', 'TSV', 'n UInt8') VALUES (1)",
      "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
      "SELECT * FROM s3('http://127.0.0.1:1/bucket/key', 'LineAsString')",
      "SELECT * FROM remote('127.0.0.1:1', 'system.one')",
      "SELECT * FROM executable('sh', 'TSV', 'n UInt8')",
      "SELECT * FROM postgresql('127.0.0.1:1', 'd', 't', 'u', 'p')",
      "CREATE TABLE stolen (line String) ENGINE = File('LineAsString', '/etc/passwd')",
      "CREATE TABLE stolen (line String) ENGINE = URL('http://127.0.0.1:1/', 'LineAsString')",
      'CREATE FUNCTION f AS () -> 1',
      'CREATE USER other',
      'GRANT SELECT ON *.* TO default',
      'SYSTEM STOP LISTEN HTTP',
      'SYSTEM SHUTDOWN',
      'SYSTEM RELOAD CONFIG',
      'DROP DATABASE default',
      "BACKUP DATABASE default TO File('/tmp/stolen')",
    ]) {
      const { status, body } = await ask(statement);
      // 497 is ACCESS_DENIED. 1 is UNSUPPORTED_METHOD, which clickhouse-local returns for some statements.
      expect(`${statement}: ${status} ${body}`).toMatch(/: 500 Code: (1|497)\b/);
    }
    expect(await ask("SELECT name FROM system.tables WHERE name = 'stolen'")).toEqual({ status: 200, body: '' });
  });

  test('Landlock denies files and processes of others and other disks', async () => {
    if (isolation === 'off') expect(engine.confined).toBe(false);
    if (!engine.confined) return;
    const secret = join(home, 'secret'); // the file mode lets every account read it
    await writeFile(secret, 'secret', { mode: 0o644 });
    for (const statement of [
      `SELECT file('${secret}')`,
      "SELECT file('/etc/passwd')",
      `SELECT file('/proc/${process.pid}/environ')`,
      `SELECT file('/proc/${process.pid}/root/etc/passwd')`,
      `SELECT file('${join(home, 'clickhouse', 'version')}')`,
      `SELECT * FROM sqlite('${secret}', 'a')`,
      `CREATE TABLE stolen (n UInt8) ENGINE = MergeTree ORDER BY n
       SETTINGS disk = disk(type = object_storage, object_storage_type = local, metadata_type = plain, path = '${home}/x/')`,
    ]) {
      const { status, body } = await ask(statement);
      expect(`${statement}: ${status} ${body}`).toMatch(/Permission denied|unable to open database file/);
    }
    expect(await readdir(home)).not.toContain('x');
  });

  async function pageOf(path: string): Promise<number | undefined> {
    const { request } = await import('node:http');
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    request({ socketPath: engine.socketPath, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
    return promise;
  }
});
