import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageDetector } from '#deploy/packages/detector/package.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { endWithUsage, readCommandLine } from '../../bin/command-line/command-line.ts';
import { checkArm64 } from './arm64.ts';
import { type DetectorCommand, followLog } from './follow-log.ts';

/**
 * `npm run package:check`: builds every package of the detector, installs each in a copy of this machine's file system,
 * and checks that the installed program reports crashes to a running Trapline. `npm run package:check -- arm64` checks
 * one package. Needs root, dpkg, rpmbuild and rpm (apt-get install rpm). Runs the programs for arm64 under qemu if it
 * is installed (apt-get install qemu-user binutils-aarch64-linux-gnu libstdc++6-arm64-cross libatomic1-arm64-cross).
 */

const MAX_MIB = 60;
const OVERLAY = path.join(import.meta.dirname, 'overlay.sh');
const INSTALLED = '/usr/bin/trapline-detector';

const CHECKS = ['executable', 'npm', 'deb', 'rpm', 'arm64', 'removal'] as const;
type Check = (typeof CHECKS)[number];
/** The package format that each check installs. */
const FORMATS = {
  executable: 'executable',
  npm: 'npm',
  deb: 'deb',
  rpm: 'rpm',
  arm64: 'executable',
  removal: 'deb',
} as const;

const HELP = { name: 'package:check', usage: `usage: npm run package:check [-- ${CHECKS.join('|')} …]` };
const { positionals } = readCommandLine(HELP, { allowPositionals: true });
const chosen = positionals.length === 0 ? CHECKS : positionals.map(checkNamed);
const failed: string[] = [];
const home = await mkdtemp(path.join(tmpdir(), 'trapline-packages-'));
const server = await startTrapline(['start', '--no-demo'], { LOG_LEVEL: 'error' }, home);
try {
  const started = await addressOf(server);
  const built = await packageDetector(
    path.join(home, 'packages'),
    [...new Set(['executable' as const, ...chosen.map((check) => FORMATS[check])])],
    { level: 0 },
  );
  const { npm = '', executable = '', deb = '', rpm = '' } = built;
  // The kernel maps recently written pages in larger pieces than pages read from disk, which would count as memory.
  await run('sync', [executable]);
  await run('dd', [`if=${executable}`, 'iflag=nocache', 'count=0']);
  const folder = path.join(home, 'packages');
  const commands: Readonly<Partial<Record<Check, DetectorCommand>>> = {
    executable: { command: executable, args: [] },
    npm: {
      command: 'npx',
      args: ['--yes', '--offline', '--package', npm, 'trapline-detector'],
      endsBySignal: true,
    },
    deb: installed(folder, `dpkg -i ${deb} >/dev/null && dpkg -V trapline-detector`),
    // Debian's rpm keeps its database below HOME, which the copies of the file system share.
    rpm: installed(folder, `export HOME=/root; rpm -i --nodeps ${rpm} && rpm -V --nodeps trapline-detector`),
  };
  for (const name of chosen) {
    const command = commands[name];
    if (command === undefined) continue;
    await attempt(name, async () => {
      const mib = await followLog(command, started, folder);
      // npx starts the detector as a child process; the memory of npx is not that of the detector.
      if (name !== 'npm' && mib > MAX_MIB) throw new Error(`${mib.toFixed(1)} MiB are more than ${MAX_MIB}`);
      return name === 'npm' ? '' : `${mib.toFixed(1)} MiB`;
    });
  }
  if (chosen.includes('arm64') && (await isInstalled('qemu-aarch64'))) {
    await attempt('deb and rpm for arm64 under qemu', async () => {
      const events = await checkArm64({ command: executable, args: [] }, started, folder);
      return `${events} events of a recorded log`;
    });
  } else if (chosen.includes('arm64'))
    process.stdout.write('deb and rpm for arm64: not checked, qemu-aarch64 is not installed\n');
  if (chosen.includes('removal'))
    await attempt('removal of the deb', async () => {
      const purge = `dpkg -i ${deb} && dpkg -P trapline-detector && ! ls ${INSTALLED} /etc/trapline /var/lib/trapline-detector`;
      await run('unshare', ['--mount', 'sh', OVERLAY, folder, purge]);
      return '';
    });
} finally {
  await server.endAll();
  await removeHome(home);
}
if (failed.length > 0) process.exitCode = 1;

function checkNamed(name: string): Check {
  const check = CHECKS.find((each) => each === name);
  return check ?? endWithUsage(HELP, `must be one of ${CHECKS.join(', ')} (got "${name}")`);
}

/**
 * Returns the command that installs a package in a copy of the file system and then executes the installed program in
 * its place.
 */
function installed(folder: string, install: string): DetectorCommand {
  const script = `${install}; exec ${INSTALLED} "$@"`;
  return { command: 'unshare', args: ['--mount', 'sh', OVERLAY, folder, script] };
}

async function attempt(name: string, check: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${name}: passed ${await check()}\n`);
  } catch (error) {
    failed.push(name);
    const { stderr = '', message } = error as Error & { readonly stderr?: string };
    process.stderr.write(`${name}: ${stderr.slice(-4_000)} ${message}\n`);
  }
}

function isInstalled(program: string): Promise<boolean> {
  return run('which', [program]).then(
    () => true,
    () => false,
  );
}

function run(command: string, args: readonly string[]) {
  return promisify(execFile)(command, [...args]);
}

async function addressOf(started: TraplineProcess): Promise<{ readonly url: string; readonly key: string }> {
  await started.logged('Ctrl-C');
  const { url } = JSON.parse(await readFile(path.join(started.dataDir, 'server.json'), 'utf8')) as { url: string };
  return { url, key: (await readFile(path.join(started.dataDir, 'operator.key'), 'utf8')).trim() };
}
