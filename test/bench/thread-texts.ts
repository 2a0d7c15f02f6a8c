import type { IngestRun } from './ingest-run.ts';

/** Threads that use less are left out, µs an event. */
const LEAST = 0.03;

/** The threads that use the most in each process: of the last run, as the JVM of the broker compiles less from run to run. */
export function threadTexts(runs: readonly IngestRun[]): string[] {
  const threads = runs.at(-1)?.threads ?? [];
  return [...new Set(threads.map((one) => one.process))].map((process) => {
    const most = threads.filter((one) => one.process === process && one.running >= LEAST);
    const texts = most.map(({ name, running, waiting }) => `${name} ${running.toFixed(2)} (${waiting.toFixed(2)})`);
    return `threads of ${process}, µs an event running (waiting for a processor): ${texts.join(', ')}`;
  });
}
