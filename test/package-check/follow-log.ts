import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { randomName } from '#test/support/random-name.ts';
import { waitFor } from '#test/support/wait-for.ts';

const LINES = 57;

export interface Server {
  readonly url: string;
  readonly key: string;
}

/** A command line, to which the options of the detector are appended. */
export interface DetectorCommand {
  /** True when the command starts the detector as a child and ends by the signal itself. */
  readonly endsBySignal?: true;
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Enrols a host, starts its detector on an empty log, appends crashes, and waits until the server has an event for each
 * crash and the status of the host. Returns the memory of the process after that, in MiB. `folder` must be writable.
 */
export async function followLog(detector: DetectorCommand, server: Server, folder: string): Promise<number> {
  const hostname = randomName('host');
  const log = path.join(folder, `${hostname}.log`);
  await writeFile(log, '');
  const env = { PATH: process.env.PATH, HOME: folder };
  const keyFile = path.join(folder, `${hostname}.key`);
  const enroll = ['enroll', server.url, await newToken(server), '--hostname', hostname, '--key-file', keyFile];
  await promisify(execFile)(detector.command, [...detector.args, ...enroll], { env, cwd: folder });
  const child = spawn(
    detector.command,
    [
      ...detector.args,
      ...['--from', log, '--follow', '--hostname', hostname, '--boot-time', new Date().toISOString()],
      ...['--to', server.url, '--spool', path.join(folder, `${hostname}.spool`)],
    ],
    {
      env: { ...env, TRAPLINE_API_KEY_FILE: keyFile },
      stdio: 'inherit',
      cwd: folder,
      detached: true,
    },
  );
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  try {
    for (let pid = 1; pid <= LINES; pid++) await appendFile(log, crashLine(pid));
    await Promise.race([
      waitFor('the events of the detector', async () => (await eventsOf(server, hostname)) === LINES || undefined, {
        timeoutMs: 60_000,
      }),
      exit.then(([code]) => Promise.reject(new Error(`the detector ended with ${code}`))),
    ]);
    await waitFor('the status of the detector', async () => ((await hasReported(server, hostname)) ? true : undefined));
    const memory = await residentMib(child.pid as number);
    // Signals the whole process group: npx does not forward the signal.
    process.kill(-(child.pid as number), 'SIGTERM');
    const [code, signal] = await exit;
    if (code !== 0 && !(detector.endsBySignal && signal === 'SIGTERM'))
      throw new Error(`the detector ended with ${code}`);
    return memory;
  } finally {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
  }
}

function crashLine(pid: number): string {
  return `[    1.${String(pid).padStart(6, '0')}] app[${pid}]: segfault at 0 ip 00000000deadbeef sp 00007ffe1c5b1a28 error 4 in app[400000+1000]\n`;
}

async function newToken({ url, key }: Server): Promise<string> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/admin/detector-tokens`, { method: 'POST', headers, body: '{}' });
  return ((await response.json()) as { readonly token: string }).token;
}

async function hasReported({ url, key }: Server, hostname: string): Promise<boolean> {
  const response = await fetch(`${url}/api/detectors`, { headers: { 'x-api-key': key } });
  const { data } = (await response.json()) as {
    readonly data: readonly { readonly hostname: string; readonly lastSeenAt: string | null }[];
  };
  return data.some((one) => one.hostname === hostname && one.lastSeenAt !== null);
}

async function eventsOf({ url, key }: Server, hostname: string): Promise<number> {
  const response = await fetch(`${url}/api/events?hostname=${hostname}&limit=100`, { headers: { 'x-api-key': key } });
  const { data } = (await response.json()) as { readonly data: readonly unknown[] };
  return data.length;
}

async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
