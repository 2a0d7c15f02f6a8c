import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { SETTINGS } from '#ingest/detector/settings.ts';
import type { Config } from '../config.ts';
import { ownCommand } from '../own-command.ts';
import { type Check, fine, look, wrong } from './check.ts';

/** Sockets, table parts and log segments: a busy process has several thousand open files. */
const FEWEST_FILES = 4096;

const OTHER_NODE = `run it as \`${ownCommand()}\`, which brings its own Node`;

/** Checks this process and machine. */
export function machineChecks(config: Config): Check[] {
  return [
    { name: 'Node', advice: OTHER_NODE, run: checkNode },
    { name: 'open files', advice: 'raise it: ulimit -n 65536', run: checkOpenFiles },
    { name: 'memory', advice: '', run: () => checkMemory(config) },
    ...detectorChecks(),
  ];
}

async function checkNode() {
  const { dependencies } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    dependencies: { node: string };
  };
  const wanted = `v${dependencies.node}`;
  if (process.version === wanted) return fine(process.version);
  return wrong(`${process.version}, built for ${wanted}`, OTHER_NODE);
}

async function checkOpenFiles() {
  const limits = await readFile('/proc/self/limits', 'utf8');
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1] ?? 'unlimited';
  if (soft === 'unlimited' || Number(soft) >= FEWEST_FILES) return fine(soft);
  return look(`${soft} at most`, 'raise it: ulimit -n 65536, or LimitNOFILE= of the service');
}

/**
 * Checks for enough memory: the limit of the embedded engine, and the same again for this process and the page cache.
 */
function checkMemory({ clickhouse, engineMemoryBytes }: Config) {
  const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
  const needed = (clickhouse.url === undefined ? engineMemoryBytes : 0) + 2 ** 30;
  if (totalmem() >= needed) return fine(gib(totalmem()));
  return look(
    gib(totalmem()),
    `${gib(needed)} are wanted: lower TRAPLINE_ENGINE_MEMORY, or set CLICKHOUSE_URL to a server elsewhere`,
  );
}

/** Checks for machines that run `trapline detect` on their own kernel. */
function detectorChecks(): Check[] {
  const ifDetector = 'only a detector on this machine needs it:';
  return [
    {
      name: '/dev/kmsg',
      advice: '',
      run: () =>
        access('/dev/kmsg', constants.R_OK).then(
          () => fine('readable'),
          () => look('not readable', `${ifDetector} run it as root or with CAP_SYSLOG`),
        ),
    },
    ...SETTINGS.map((setting) => ({
      name: setting.key,
      advice: '',
      run: async () => {
        const value = await setting.read('/');
        if (value === null) return look('not there', `${ifDetector} this kernel or container does not have it`);
        const others = await settingValues();
        if (setting.good(value, others)) return fine(value);
        const advice = setting.blocked?.(others) ?? `\`trapline detect --configure\` sets it to ${setting.wanted}`;
        return look(value, `${ifDetector} ${setting.why}; ${advice}`);
      },
    })),
  ];
}

/** Returns the current values of the kernel settings, by key. */
async function settingValues(): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  for (const setting of SETTINGS) {
    const value = await setting.read('/');
    if (value !== null) values.set(setting.key, value);
  }
  return values;
}
