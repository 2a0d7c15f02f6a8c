import type { OracleResult } from './oracle.ts';

/**
 * Checks all delivery guarantees of the README. Returns descriptions of the violations; empty if delivery was exactly
 * once.
 */
export function problemsOf(result: OracleResult): string[] {
  return [
    ...missing('numbers on the topic', result.numbersMissingFromTopic.map(String)),
    ...difference('events', result.events, result.expectedEvents),
    ...difference('dead letters', result.deadLetters, result.expectedDeadLetters),
    ...difference('dead letters on their topic', result.deadLetterTopic, result.expectedDeadLetters),
    ...difference('detections', texts(result.detections), texts(result.expectedDetections)),
    ...difference('published revisions', result.published, result.expectedPublished),
    ...result.replicaDifferences,
    ...(result.unusedShards > 0 ? [`${result.unusedShards} shards have no events`] : []),
    ...result.exitCodes.flatMap((code) => (code === 0 ? [] : [`a process ended with ${code}`])),
    // Without data the checks above prove nothing.
    ...(result.expectedDetections.length > 0 ? [] : ['there was nothing to detect']),
    ...(result.expectedDeadLetters.length > 0 ? [] : ['there was nothing to refuse']),
  ];
}

/** Compares two lists without regard to order. Returns the items that one list contains more often than the other. */
export function difference(what: string, actual: readonly string[], expected: readonly string[]): string[] {
  return [...missing(what, without(expected, actual)), ...extra(what, without(actual, expected))];
}

const missing = (what: string, names: readonly string[]) => named(`${what} missing`, names);
const extra = (what: string, names: readonly string[]) => named(`${what} doubled or other than expected`, names);

function named(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${names.length} ${what}: ${names.slice(0, 5).join(', ')}`];
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const name of others) left.set(name, (left.get(name) ?? 0) + 1);
  return names.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
}

const texts = (facts: readonly object[]): string[] => facts.map((fact) => JSON.stringify(fact));
