import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { docker, HARDENED, stopMeasured } from './docker.ts';

const EVENT_TIMEOUT_MS = 60_000;
const NODE_OPTIONS = ['--no-warnings', '--disable-wasm-trap-handler'];
/** Reads from an address that is mapped in no process. */
const CRASH = `process.title = process.argv[1];
const { functions } = process.getBuiltinModule('node:ffi').dlopen(null, { strlen: { arguments: ['pointer'], return: 'u64' } });
functions.strlen(8n);`;

/**
 * Runs the image `detector` with the only capability it needs, and lets it report a real crash: a process of the image
 * `platform` reads from an invalid address. The event comes from the log of the kernel that runs the containers.
 */
export async function checkDetector(
  image: string,
  platform: string,
  report: (line: string) => void,
): Promise<string[]> {
  report(`${image}: version ${await docker('run', '--rm', ...HARDENED, image, '--version')}`);
  const detector = await docker(
    ...['run', '--detach', ...HARDENED, '--cap-add=SYSLOG', '--hostname=images-check', image],
    ...['--from', 'syslog', '--to', 'stdout', '--no-watch'],
  );
  try {
    const name = `crash-${randomBytes(4).toString('hex')}`;
    const crashed = Date.now();
    await crash(platform, name);
    const problems: string[] = [];
    if (await isReported(detector, name))
      report(`${image}: reported a crash after ${((Date.now() - crashed) / 1_000).toFixed(1)} s`);
    else problems.push(`${image} did not report the crash of ${name}:\n${await docker('logs', '--tail=10', detector)}`);
    return [...problems, ...(await stopMeasured(detector, image, report))];
  } finally {
    await docker('rm', '--force', '--volumes', detector);
  }
}

/** Runs a container that ends by the signal. Node's own signal handler would hide the crash from the kernel. */
async function crash(platform: string, name: string): Promise<void> {
  const node = ['--entrypoint=/usr/local/bin/node', platform, ...NODE_OPTIONS, '--eval', CRASH, name];
  const container = await docker('create', ...HARDENED, '--ulimit=core=0', ...node);
  try {
    await docker('start', container);
    await docker('wait', container);
  } finally {
    await docker('rm', '--force', container);
  }
}

async function isReported(detector: string, name: string): Promise<boolean> {
  const deadline = Date.now() + EVENT_TIMEOUT_MS;
  for (;;) {
    if ((await docker('logs', detector)).includes(name)) return true;
    if (Date.now() > deadline) return false;
    await delay(500);
  }
}
