import type { IngestRun } from './ingest-run.ts';

/** Threads below this time, in microseconds an event, are omitted. */
const LEAST = 0.03;

/**
 * Returns the busiest threads of each process in the last run, because the JVM of the broker compiles less in each run.
 */
export function threadTexts(runs: readonly IngestRun[]): string[] {
  const threads = runs.at(-1)?.threads ?? [];
  return [...new Set(threads.map((one) => one.process))].map((process) => {
    const most = threads.filter((one) => one.process === process && one.running >= LEAST);
    const texts = most.map(({ name, running, waiting }) => `${name} ${running.toFixed(2)} (${waiting.toFixed(2)})`);
    return `threads of ${process}, µs an event running (waiting for a processor): ${texts.join(', ')}`;
  });
}
