import { endWithUsage, readCommandLine } from '../../../bin/command-line/command-line.ts';
import { FUZZ } from '../help.ts';
import { KINDS, type Kind } from './cases/case.ts';
import type { Generation } from './cases/generate.ts';
import type { Budgets } from './session.ts';

export interface Options extends Budgets {
  readonly cases: number;
  /** Number of the first unit, to continue after the units of an earlier run. */
  readonly firstUnit: number;
  /** File to which the current figures of the run are written as JSON. */
  readonly summary: string | undefined;
  /** Folder of such files. Their figures are summed and no cases run. */
  readonly sum: string | undefined;
  /** Units in flight at a time. */
  readonly inFlight: number;
  readonly kinds: readonly Kind[];
  readonly generation: Generation;
  /** Continues after a fault, on a new service if the old one ended. Otherwise the run ends with the first fault. */
  readonly keepGoing: boolean;
  readonly shrinkMs: number;
  /** Output folder of the reproducers. */
  readonly out: string;
  /** Reproducer to run instead of generated cases. */
  readonly replay: string | undefined;
}

/** Parses the options. Wrong ones end the process with exit code 2. */
export function readOptions(args: readonly string[]): Options {
  const config = {
    options: {
      of: { type: 'string' }, // read by the caller
      cases: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      'first-unit': { type: 'string', default: '0' },
      summary: { type: 'string' },
      sum: { type: 'string' },
      'in-flight': { type: 'string', default: '8' },
      kinds: { type: 'string', default: KINDS.join(',') },
      'slow-share': { type: 'string', default: '0.005' },
      only: { type: 'string', default: '' },
      without: { type: 'string', default: '' },
      'memory-mib': { type: 'string', default: '1024' },
      'gap-ms': { type: 'string', default: '2000' },
      'keep-going': { type: 'boolean', default: false },
      'shrink-seconds': { type: 'string', default: '180' },
      out: { type: 'string', default: 'fuzz-faults' },
      replay: { type: 'string' },
    },
  } as const;
  const { values } = readCommandLine(FUZZ, config, args);
  const number = (
    name: 'cases' | 'first-unit' | 'seed' | 'in-flight' | 'slow-share' | 'memory-mib' | 'gap-ms' | 'shrink-seconds',
  ) => {
    const value = Number(values[name]);
    if (Number.isNaN(value)) endWithUsage(FUZZ, `--${name}: must be a number (got ${values[name]})`);
    return value;
  };
  return {
    cases: number('cases'),
    firstUnit: number('first-unit'),
    summary: values.summary,
    sum: values.sum,
    inFlight: number('in-flight'),
    kinds: listOf(values.kinds).map(kindOf),
    generation: {
      seed: number('seed'),
      slowShare: number('slow-share'),
      only: listOf(values.only),
      without: listOf(values.without),
    },
    memoryBytes: number('memory-mib') * 2 ** 20,
    gapMs: number('gap-ms'),
    keepGoing: values['keep-going'],
    shrinkMs: number('shrink-seconds') * 1_000,
    out: values.out,
    replay: values.replay,
  };
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Accepts the plural, such as `scripts` for `script`. */
function kindOf(name: string): Kind {
  const kind = KINDS.find((known) => known === name || `${known}s` === name);
  if (kind === undefined) endWithUsage(FUZZ, `--kinds: must be ${KINDS.join(', ')} (got ${name})`);
  return kind;
}
