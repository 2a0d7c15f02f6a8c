import { readCoreLimit, setCoreLimit } from './core-limit.ts';
import { fileSetting, type Setting, type SettingValues } from './setting.ts';

const PATTERN = 'kernel.core_pattern';
/** Process 1. All other processes inherit its limits, unless their service manager sets others. */
const FIRST_PROCESS = 1;

const isPipe = (others: SettingValues): boolean => others.get(PATTERN)?.startsWith('|') === true;
const isFullPath = (others: SettingValues): boolean => others.get(PATTERN)?.startsWith('/') === true;
const isDiscarded = (pattern: string): boolean =>
  pattern === '' || /^(?:\/dev\/|\|\s*(?:\/usr)?\/bin\/(?:true|false)\b)/.test(pattern);

/** Settings that decide whether a crash leaves a core file for later analysis. */
export const CORE_SETTINGS: readonly Setting[] = [
  {
    key: PATTERN,
    ...fileSetting('proc/sys/kernel/core_pattern'),
    wanted: 'core',
    good: (value) => !isDiscarded(value),
    why: 'cores that are discarded cannot show what a crash was made to do',
  },
  {
    key: 'fs.suid_dumpable',
    ...fileSetting('proc/sys/fs/suid_dumpable'),
    wanted: '2',
    good: (value) => value !== '0',
    blocked: (others) =>
      isPipe(others) || isFullPath(others)
        ? null
        : 'the kernel wants a pipe or an absolute path in kernel.core_pattern for this: set that first',
    why: 'without it privileged programs, the most rewarding targets, leave no core',
  },
  {
    key: 'RLIMIT_CORE',
    read: (root) => readCoreLimit(root, FIRST_PROCESS),
    write: (_root, value) => setCoreLimit(FIRST_PROCESS, value),
    wanted: 'unlimited',
    // A program that receives core dumps through a pipe gets them regardless of the limit.
    good: (value, others) => value !== '0' || isPipe(others),
    why: 'with a limit of 0 no core is written to a file',
  },
];
