import type { Fault } from './faults.ts';
import { ENDS_SERVICE, FAULT_KINDS } from './faults.ts';
import { createTrial, isolate } from './isolate.ts';
import { type Options, readOptions } from './options.ts';
import { readReproducer, writeReproducer } from './reproducer.ts';
import { type Session, startSession } from './session.ts';
import { addSummaries, formatSummary, readSummaries, writeSummary } from './summary.ts';
import { createTally, type Tally } from './tally.ts';
import { generateUnit, type Unit } from './units.ts';

const PROGRESS_MS = 15_000;
const MAX_DETAIL = 400;

/** Runs the program fuzzer. Resolves to the exit code. */
export async function fuzzPrograms(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options.replay !== undefined) return replay(options.replay, options);
  if (options.sum !== undefined) {
    note(formatSummary(addSummaries(await readSummaries(options.sum))));
    return 0;
  }
  const { seed } = options.generation;
  note(`seed ${seed}, ${options.cases} cases, ${options.inFlight} units in flight`);
  const tally = createTally(seed);
  const faults: Fault[] = [];
  let next = options.firstUnit;
  while (tally.cases < options.cases) {
    const found = faults.length;
    next = await runSession(options, tally, next, faults);
    if (faults.length > found && !options.keepGoing) break;
  }
  note(`seed ${seed}: ${faults.length === 0 ? 'no fault' : `${faults.length} faults`}`);
  for (const [name, [first, ...more]] of Map.groupBy(faults, nameOf)) {
    note(`${more.length + 1} × ${name}`);
    if (first !== undefined) await explain(first, options);
  }
  return faults.length === 0 ? 0 : 1;
}

/**
 * Submits units until there are enough cases, the service has ended, or a fault ends the run. Resolves to the number of
 * the next unit.
 */
async function runSession(options: Options, tally: Tally, first: number, faults: Fault[]): Promise<number> {
  let next = first;
  const over = Promise.withResolvers<true>();
  const session = await startSession(options, options.inFlight, (fault) => {
    faults.push(fault);
    tally.countFault(fault.kind);
    note(`FAULT ${nameOf(fault)}: ${fault.detail.slice(0, MAX_DETAIL)}`);
    if (!options.keepGoing || ENDS_SERVICE.has(fault.kind)) over.resolve(true);
  });
  const progress = setInterval(() => {
    note(tally.progress(session, options.cases));
    void keepSummary();
  }, PROGRESS_MS);
  const keepSummary = async () => {
    if (options.summary !== undefined) await writeSummary(options.summary, tally.summary(session, next));
  };
  let ended = false;
  const submitUnits = async (lane: number) => {
    while (!ended && tally.cases < options.cases && session.running) {
      const unit = generateUnit(next++, options.kinds, options.generation);
      tally.count(await session.submit(unit, lane));
    }
  };
  const lanes = Array.from({ length: options.inFlight }, (_, lane) => submitUnits(lane));
  try {
    // Does not wait for units in flight when a fault ends the run.
    ended = await Promise.race([over.promise, Promise.all(lanes).then(() => false)]);
    if (!ended && session.running) await session.checkControls();
    note(formatSummary(tally.summary(session, next)));
    await keepSummary();
    await noteLog(session);
    return next;
  } finally {
    clearInterval(progress);
    tally.keep(session);
    await session.stop();
    await Promise.all(lanes);
  }
}

async function noteLog(session: Session): Promise<void> {
  const lines = (await session.log())
    .split('\n')
    .filter((line) => line.includes('"level":50') || line.includes('"level":60'));
  const counts = new Map<string, number>();
  for (const line of lines) {
    const message = /"msg":"([^"]*)"/.exec(line)?.[1] ?? line.slice(0, 200);
    counts.set(message, (counts.get(message) ?? 0) + 1);
  }
  for (const [message, count] of counts) note(`logged as error, ${count} times: ${message}`);
}

/** Returns the name under which faults are grouped. Faults with the same name most likely have one cause. */
function nameOf({ kind, suspects }: Fault): string {
  const names = new Set(suspects.flatMap(({ cases }) => cases.map(({ template }) => template)));
  return `${kind}${names.size === 1 ? ` by ${[...names][0]}` : ''}: ${FAULT_KINDS[kind]}`;
}

/** Finds the cause of a fault, writes it to a file and prints how to reproduce it. */
async function explain(fault: Fault, options: Options): Promise<void> {
  const culprit = options.shrinkMs === 0 ? undefined : await isolate(fault, options, options.shrinkMs, note);
  const units: readonly Unit[] = culprit === undefined ? fault.suspects : [culprit];
  const file = await writeReproducer(options.out, {
    fault: fault.kind,
    detail: fault.detail,
    seed: options.generation.seed,
    isolated: culprit !== undefined,
    units,
  });
  note(
    `${fault.kind}: ${culprit === undefined ? 'not shown by one case alone; all that were in flight' : 'reproducer'} in ${file}`,
  );
  note(`run it again: npm run fuzz -- --of programs --replay ${file}`);
}

/** Submits the units of a reproducer one after another. Resolves to exit code 1 when the fault appears. */
async function replay(file: string, options: Options): Promise<number> {
  const { fault, units } = await readReproducer(file);
  const trial = createTrial(fault, options);
  let shown = false;
  try {
    for (const unit of units) shown = (await trial.shows(unit)) || shown;
  } finally {
    await trial.stop();
  }
  note(shown ? `FAULT ${fault} (${FAULT_KINDS[fault]})` : `the fault ${fault} is not shown`);
  return shown ? 1 : 0;
}

function note(text: string): void {
  process.stderr.write(`fuzz: ${text}\n`);
}
