import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { HARDENED } from '#deploy/images/docker.ts';
import { waitFor } from '#test/support/wait-for.ts';
import type { ComposeProject } from './compose-project.ts';

/** Number of events and detections in the captured attack of the demo. */
export const EVENTS = 171;
export const DETECTIONS = 1;
/** The drain period (10 s), plus the time a process has to end (10 s), plus a margin for a busy machine. */
const MAX_STOP_MS = 30_000;

export interface Server {
  readonly url: string;
  readonly key: string;
}

export type Report = (line: string) => void;

/** Starts all services and waits until each is healthy. */
export async function up(project: ComposeProject, report: Report): Promise<void> {
  const started = Date.now();
  await project.compose('up', '--detach', '--wait', '--wait-timeout=600');
  report(`${project.name}: healthy after ${seconds(started)} s`);
}

/** Sends the capture with the image `detector`, which joins the network of the project. */
export async function sendCapture(project: ComposeProject, image: string, to: string, key: string): Promise<void> {
  const capture = new URL('../../deploy/demo/attack.kmsg', import.meta.url);
  const options = [...HARDENED, `--network=${project.name}_default`, '--env=TRAPLINE_API_KEY'];
  const child = spawn(
    'docker',
    ['run', '--rm', '--interactive', ...options, image, '--from', '-', '--hostname', 'captured', '--to', to],
    { env: { ...process.env, TRAPLINE_API_KEY: key }, stdio: ['pipe', 2, 2] },
  ) as ChildProcess & { stdin: NodeJS.WritableStream };
  const exit = once(child, 'exit') as Promise<[number | null]>;
  await pipeline(createReadStream(capture), child.stdin);
  const [code] = await exit;
  if (code !== 0) throw new Error(`the detector ended with ${code}`);
}

/** Waits for the events and detections of the capture. Fails on any others. */
export async function expectCapture(server: Server, name: string, report: Report): Promise<void> {
  // The detection is stored before its events.
  const complete = async () =>
    (await count(server, 'detections')) >= DETECTIONS && (await count(server, 'events')) >= EVENTS;
  await waitFor('the events and the detection', complete, { timeoutMs: 120_000, everyMs: 500 });
  const events = await count(server, 'events');
  const detections = await count(server, 'detections');
  report(`${name}: ${events} events, ${detections} detection`);
  if (events !== EVENTS || detections !== DETECTIONS)
    throw new Error(`${name}: ${EVENTS} events and ${DETECTIONS} detection are expected`);
}

/** Stops the services in turn. Each must end by itself, with exit code 0, within `MAX_STOP_MS`. */
export async function stopServices(
  project: ComposeProject,
  services: readonly string[],
  report: Report,
): Promise<void> {
  for (const service of services) {
    const stopping = Date.now();
    await project.compose('stop', service);
    const took = Date.now() - stopping;
    const { ExitCode } = JSON.parse(await project.compose('ps', '--all', '--format=json', service)) as {
      readonly ExitCode: number;
    };
    report(`${project.name}: ${service} stopped after ${(took / 1_000).toFixed(1)} s with exit code ${ExitCode}`);
    if (ExitCode !== 0) throw new Error(`${service} ended with exit code ${ExitCode}`);
    if (took > MAX_STOP_MS) throw new Error(`${service} took ${took} ms to stop`);
  }
}

/**
 * Checks that a service runs without privileges, that its root file system is read-only, and that its secrets are files
 * and not environment variables.
 */
export async function expectHardened(
  project: ComposeProject,
  service: string,
  secrets: readonly string[],
): Promise<void> {
  const program = `const fs = require('node:fs');
const status = fs.readFileSync('/proc/1/status', 'utf8');
let write; try { fs.writeFileSync('/probe', ''); write = 'written'; } catch ({ code }) { write = code; }
const read = (name) => { try { return fs.readFileSync('/run/secrets/' + name, 'utf8').length > 0; } catch { return false; } };
const environment = fs.readFileSync('/proc/1/environ', 'utf8');
console.log(JSON.stringify({ write, uid: Number(/Uid:\\s*(\\d+)/.exec(status)[1]), capabilities: /CapEff:\\s*(\\w+)/.exec(status)[1],
  noNewPrivileges: /NoNewPrivs:\\s*(\\d)/.exec(status)[1],
  secrets: process.argv.slice(1).filter((name) => read(name) && !environment.includes(fs.readFileSync('/run/secrets/' + name, 'utf8'))) }));`;
  const found = JSON.parse(
    await project.compose('exec', '-T', service, '/usr/local/bin/node', '--eval', program, ...secrets),
  ) as unknown;
  const expected = { write: 'EROFS', uid: 65_532, capabilities: '0000000000000000', noNewPrivileges: '1', secrets };
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`${service} runs as ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
}

async function count({ url, key }: Server, kind: 'events' | 'detections'): Promise<number> {
  const response = await fetch(`${url}/api/${kind}?limit=1000`, { headers: { 'x-api-key': key } });
  if (!response.ok) throw new Error(`GET /api/${kind}: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { readonly data: readonly unknown[] };
  return data.length;
}

export function seconds(since: number): string {
  return ((Date.now() - since) / 1_000).toFixed(1);
}
