import { setTimeout as delay } from 'node:timers/promises';
import { docker, filesOf } from './docker.ts';
import { forbiddenFiles, type ImageTarget } from './targets.ts';

const ACCOUNT = '65532:65532';
/** As the compose files and the Helm chart run it. */
const HARDENED = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--tmpfs=/tmp:mode=1777'];
const DEMO_EVENTS = 171;
const DEMO_DETECTIONS = 1;
const START_TIMEOUT_MS = 300_000;
/** Drain period 0, and the 10 seconds in which a process ends. */
const MAX_STOP_MS = 15_000;
const MAIN = '/opt/trapline/deploy/cli/main.ts';

/** Checks what an image consists of. Resolves to its problems, one line each. */
export async function checkContent(image: string, target: ImageTarget, report: (line: string) => void) {
  const [size = '', user = ''] = (await docker('image', 'inspect', '--format={{.Size}} {{.Config.User}}', image)).split(
    ' ',
  );
  report(`${image}: ${(Number(size) / 1e6).toFixed(1)} MB, at most ${target.maxSize / 1e6} MB`);
  const problems = forbiddenFiles(target, await filesOf(image));
  if (Number(size) > target.maxSize) problems.push(`${image} has ${size} bytes, more than ${target.maxSize}`);
  if (user !== ACCOUNT) problems.push(`${image} runs as ${user}, expected ${ACCOUNT}`);
  return problems;
}

/** Runs commands of the image `platform` without privileges on a read-only root file system. */
export async function checkPlatform(image: string, report: (line: string) => void): Promise<string[]> {
  const run = (...args: string[]) => docker('run', '--rm', ...HARDENED, image, ...args);
  report(`${image}: version ${await run('--version')}`);
  const problems: string[] = [];
  for (const command of ['api', 'ingest', 'worker', 'migrate'])
    if (!(await run(command, '--help')).includes(`trapline ${command}`))
      problems.push(`${command} --help prints no usage`);
  const state = await docker(
    ...['run', '--rm', ...HARDENED, '--entrypoint=/usr/local/bin/node', image, '-e'],
    "const s = fs.readFileSync('/proc/self/status', 'utf8'); console.log(process.getuid(), /CapEff:\\s*(\\w+)/.exec(s)[1], /NoNewPrivs:\\s*(\\d)/.exec(s)[1])",
  );
  report(`${image}: user, capabilities and no_new_privs of the process: ${state}`);
  if (state !== '65532 0000000000000000 1') problems.push(`${image} runs with privileges: ${state}`);
  return problems;
}

/** Runs the image `all-in-one` on a new volume: first start with the demo capture, stop, second start on the same data, stop. */
export async function checkAllInOne(image: string, report: (line: string) => void): Promise<string[]> {
  const volume = await docker('volume', 'create');
  try {
    const first = await runOnce(image, volume, report);
    const second = await runOnce(image, volume, report);
    return [...first, ...second];
  } finally {
    await docker('volume', 'rm', volume);
  }
}

async function runOnce(image: string, volume: string, report: (line: string) => void): Promise<string[]> {
  const started = Date.now();
  const container = await docker(
    ...['run', '--detach', ...HARDENED, `--volume=${volume}:/var/lib/trapline`, '--publish=127.0.0.1::8080', image],
  );
  try {
    const address = await docker('port', container, '8080/tcp');
    await becomesReady(container, `http://${address}/readyz`);
    report(`${image}: ready after ${seconds(started)} s`);
    const problems: string[] = [];
    for (const [kind, expected] of [
      ['events', DEMO_EVENTS],
      ['detections', DEMO_DETECTIONS],
    ] as const) {
      const found = await waitForCount(container, kind, expected);
      report(`${image}: ${found} ${kind}`);
      if (found !== expected) problems.push(`${image} has ${found} ${kind}, expected ${expected}`);
    }
    const stopping = Date.now();
    await docker('stop', '--time=60', container);
    const code = await docker('inspect', '--format={{.State.ExitCode}}', container);
    report(`${image}: stopped after ${seconds(stopping)} s with exit code ${code}`);
    if (code !== '0') problems.push(`${image} ended with exit code ${code}`);
    if (Date.now() - stopping > MAX_STOP_MS) problems.push(`${image} took ${seconds(stopping)} s to stop`);
    return problems;
  } finally {
    await docker('rm', '--force', container);
  }
}

async function becomesReady(container: string, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    const running = await docker('inspect', '--format={{.State.Running}}', container);
    if (running !== 'true' || Date.now() > deadline)
      throw new Error(`the container is not ready:\n${await docker('logs', '--tail=30', container)}`);
    await delay(500);
  }
}

/** The demo capture is replayed after the server is ready. */
async function waitForCount(container: string, kind: 'events' | 'detections', expected: number): Promise<number> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const lines = await docker(
      'exec',
      container,
      '/usr/local/bin/node',
      MAIN,
      'query',
      kind,
      '--output=json',
      '--limit=1000',
    );
    const found = lines === '' ? 0 : lines.split('\n').length;
    if (found === expected || Date.now() > deadline) return found;
    await delay(1_000);
  }
}

function seconds(since: number): string {
  return ((Date.now() - since) / 1_000).toFixed(1);
}
