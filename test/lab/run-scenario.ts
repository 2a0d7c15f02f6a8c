import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Truth } from '#deploy/cli/corpus/truth.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import { compile } from './compile.ts';
import { crashRecords } from './crash-records.ts';
import { startGateway } from './gateway.ts';
import type { KernelSettings } from './kernel-setting.ts';
import { endGroup } from './process-group.ts';
import type { KernelLog } from './record-kernel-log.ts';
import type { Lab, Scenario } from './scenario.ts';
import { stretchRecords } from './stretch-records.ts';

/** The kernel reports the number of suppressed messages with the first message after this time. */
const SUPPRESSION_MS = 5500;
const MAX_RUNS = 3;

export interface Capture {
  readonly records: readonly string[];
  readonly truth: Truth;
}

export interface LabMachine {
  /** A folder that every user can read. */
  readonly folder: string;
  readonly log: KernelLog;
  readonly settings: KernelSettings;
  readonly random: SeededRandom;
}

/**
 * Runs a scenario until its capture is complete: the settings were unchanged, and the ring buffer dropped no record.
 */
export async function runScenario(scenario: Scenario, machine: LabMachine): Promise<Capture> {
  for (let run = 1; run <= MAX_RUNS; run += 1) {
    const procname = `lab-${machine.random.between(0x1000, 0xffff).toString(16)}`;
    machine.settings.set(scenario.dumps);
    const { records, lost } = await machine.log.during(async () => {
      await scenario.run(createLab(machine, procname));
      if (!scenario.dumps) await reportSuppressed(machine, procname);
    });
    if (lost > 0 || !machine.settings.hold(scenario.dumps)) continue;
    const isOurs = nameTest([procname, ...(scenario.aliases ?? [])]);
    const kept = stretchRecords(crashRecords(records, isOurs), scenario.stretch ?? 1);
    return { records: kept, truth: truthOf(scenario, procname) };
  }
  throw new Error(`${scenario.name}: the kernel log was disturbed ${MAX_RUNS} times`);
}

/** Returns the expected verdict on the scenario's capture. */
export function truthOf({ any, note, truth = {} }: Scenario, procname: string): Truth {
  const program = any.length === 0 || truth.any_procname === true ? {} : { procname };
  return { any: [...any], ...program, ...truth, note };
}

/** Returns a test for process names: true for these names, in which `%` stands for a number. */
export function nameTest(names: readonly string[]): (name: string) => boolean {
  const pattern = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('%', '\\d+')).join('|');
  const whole = new RegExp(`^(?:${pattern})$`);
  return (name) => whole.test(name);
}

function createLab({ folder, random }: LabMachine, procname: string): Lab {
  return {
    random,
    procname,
    async gateway({ flags, names, executable: name = procname }) {
      const executable = await compile('gateway', folder, name, flags);
      return { ...(await startGateway(executable, names)), executable };
    },
    crasher: (name = procname) => compile('crasher', folder, name, []),
    faulty: (name = procname) => compile('faulty', folder, name, []),
    library: (name) => compile('library', folder, name, ['-shared', '-fPIC']),
    crash,
  };
}

async function crash(executable: string, args: readonly string[], maxMs?: number): Promise<void> {
  const child = spawn(executable, args, { stdio: 'ignore', cwd: '/', detached: true });
  const ended = once(child, 'exit');
  await (maxMs === undefined ? ended : Promise.race([ended, pause(maxMs, undefined, { ref: false })]));
  await endGroup(child);
}

/** Causes one more crash, so that the kernel reports the number of suppressed messages. */
async function reportSuppressed({ folder }: LabMachine, procname: string): Promise<void> {
  await pause(SUPPRESSION_MS);
  await crash(await compile('crasher', folder, `${procname}-end`, []), ['null-write', '1']);
}
