import type { Truth } from '#deploy/cli/corpus/truth.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import type { Gateway } from './gateway.ts';

/** How a scenario compiles its gateway. */
export interface GatewayOptions {
  readonly flags: readonly string[];
  /** Names that children take in turn. */
  readonly names?: readonly string[];
  /** Name of the server, if it is another one than the scenario's program. */
  readonly executable?: string;
}

/** What a scenario gets to make crashes with. */
export interface Lab {
  readonly random: SeededRandom;
  /** Name of the scenario's program: random, so that no other program of the machine has it. */
  readonly procname: string;
  /** Compiles and starts the vulnerable server under that name. */
  gateway(options: GatewayOptions): Promise<Gateway & { readonly executable: string }>;
  /** Compiles the crashing program under that name, or another, and returns its path. */
  crasher(name?: string): Promise<string>;
  /** Compiles the program that fails by its surroundings, under that name or another, and returns its path. */
  faulty(name?: string): Promise<string>;
  /** Compiles the library of that program under this name, and returns its path. */
  library(name: string): Promise<string>;
  /** Runs the crashing program to its end, or for so long. */
  crash(executable: string, args: readonly string[], maxMs?: number): Promise<void>;
}

/** One way to make crashes, with what a detector has to say about them. */
export interface Scenario {
  readonly name: string;
  /** What happens. */
  readonly note: string;
  /** Whether the kernel dumps registers of fatal signals. */
  readonly dumps: boolean;
  /** Rules of which one has to fire; none: no attack. */
  readonly any: readonly string[];
  readonly truth?: Pick<Truth, 'any_procname' | 'burst_ok'>;
  /** The times of the capture are made so many times longer: hours of an attack in seconds. */
  readonly stretch?: number;
  /** Other process names whose crashes belong to the capture. */
  readonly aliases?: readonly string[];
  run(lab: Lab): Promise<void>;
}
