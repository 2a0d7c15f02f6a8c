import type { Truth } from '#deploy/cli/corpus/truth.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import type { Gateway } from './gateway.ts';

/** How a scenario compiles its gateway. */
export interface GatewayOptions {
  readonly flags: readonly string[];
  /** Names that the children take in turn. */
  readonly names?: readonly string[];
  /** Name of the server, if it differs from the name of the scenario's program. */
  readonly executable?: string;
}

/** Means of a scenario to cause crashes. */
export interface Lab {
  readonly random: SeededRandom;
  /** Name of the scenario's program. It is random, so that no other program of the machine has it. */
  readonly procname: string;
  /** Compiles and starts the vulnerable server under that name. */
  gateway(options: GatewayOptions): Promise<Gateway & { readonly executable: string }>;
  /** Compiles the crashing program under that name, or another. Resolves to its path. */
  crasher(name?: string): Promise<string>;
  /** Compiles the program that fails because of its environment, under that name or another. Resolves to its path. */
  faulty(name?: string): Promise<string>;
  /** Compiles the library of that program under this name. Resolves to its path. */
  library(name: string): Promise<string>;
  /** Runs the crashing program to its end, or for at most `maxMs`. */
  crash(executable: string, args: readonly string[], maxMs?: number): Promise<void>;
}

/** A scenario that causes crashes, with the expected verdict of a detector. */
export interface Scenario {
  readonly name: string;
  /** Description of the scenario. */
  readonly note: string;
  /** True if the kernel dumps registers on fatal signals. */
  readonly dumps: boolean;
  /** Rules of which at least one must fire. Empty: the scenario is no attack. */
  readonly any: readonly string[];
  readonly truth?: Pick<Truth, 'any_procname' | 'burst_ok'>;
  /** Factor by which the times of the capture are stretched, to record an attack of hours in seconds. */
  readonly stretch?: number;
  /** Other process names whose crashes belong to the capture. */
  readonly aliases?: readonly string[];
  run(lab: Lab): Promise<void>;
}
