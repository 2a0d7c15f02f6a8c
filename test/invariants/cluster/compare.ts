import type { KafkaRecord } from '#ingest/kafka/port.ts';
import { HEADERS } from '#schemas/topics.ts';
import type { DetectionFacts } from '#test/support/detection-facts.ts';
import { difference } from '../exactly-once.ts';
import { digest, expectedOf } from '../oracle.ts';

/** The state after a run, as read from all stores. */
export interface Evidence {
  /** Records of the events topic, by partition and offset. */
  readonly topic: readonly KafkaRecord[];
  /** `partition/offset digest` of each row, from one replica of each shard. Duplicates are included. */
  readonly events: readonly string[];
  readonly deadLetters: readonly string[];
  /** Number of each stored event. Duplicates are included. */
  readonly numbers: readonly number[];
  /** Detections that depend only on the stored events. */
  readonly detections: readonly DetectionFacts[];
  /** Ids of all detections. */
  readonly detectionIds: readonly string[];
  /** `id revision` of each distinct record on the topic of detections. */
  readonly published: readonly string[];
  readonly replicaDifferences: readonly string[];
  /** Number of records that Kafka acknowledged. The records are numbered from 0. */
  readonly acknowledged: number;
  /** Numbers of events that were accepted over HTTP. */
  readonly accepted: ReadonlySet<number>;
  /** Accepted executions by the number that each must return. */
  readonly executions: ReadonlyMap<number, string>;
  readonly executionRows: readonly ExecutionRow[];
  /** Descriptions of executions that have not ended exactly once. */
  readonly repeatedEnds: readonly string[];
  /** Ids of the detections for which the workflow on detections was started, once for each start. */
  readonly startedFor: readonly string[];
  /** Ids of accepted exceptions, of those in the database, and of those in the audit log. */
  readonly exceptions: ReadonlySet<string>;
  readonly exceptionRows: readonly string[];
  readonly auditedExceptions: readonly string[];
  /** Number of the first audit log entry that was altered, removed or moved; undefined if all entries are intact. */
  readonly auditBroken: unknown;
  readonly auditVerified: number;
  /** Responses that are neither a success nor a temporary error. */
  readonly refusals: readonly string[];
  /** Descriptions of what was not finished when the wait timed out. */
  readonly unsettled: readonly string[];
  /** Exit codes of the Trapline processes after SIGTERM. */
  readonly exitCodes: ReadonlyMap<string, number>;
  /**
   * True if so many programs waited for a processor that a process may exceed its time to end. Exit code 1 is accepted
   * then.
   */
  readonly isOverloaded: boolean;
}

export interface ExecutionRow {
  readonly id: string;
  readonly status: string;
  readonly n: number;
  readonly result: unknown;
}

/** Returns descriptions of the problems of a run; empty if everything is correct. */
export function problemsOfRun(evidence: Evidence): string[] {
  return [
    ...evidence.unsettled,
    ...pipelineProblems(evidence),
    ...executionProblems(evidence),
    ...auditProblems(evidence),
    ...evidence.refusals.map((refusal) => `a request was refused: ${refusal}`),
    ...[...evidence.exitCodes].flatMap(([name, code]) =>
      code === 0 || (code === 1 && evidence.isOverloaded) ? [] : [`${name} ended with ${code} at the end`],
    ),
  ];
}

/**
 * Returns the records of the topic that must be stored: all records except repeated ones. A request over HTTP that was
 * repeated, or whose response was lost inside the API, has several records with the same ingest id, of which exactly
 * one is stored.
 */
export function storedOnce(
  topic: readonly KafkaRecord[],
  stored: ReadonlySet<string>,
): { readonly effective: readonly KafkaRecord[]; readonly repeated: number; readonly problems: readonly string[] } {
  const copies = Map.groupBy(topic, ingestIdOf);
  const problems: string[] = [];
  const left = new Set<KafkaRecord>();
  for (const [id, records] of copies) {
    if (id === undefined || records.length === 1) continue;
    const kept = records.filter((record) => stored.has(identityOf(record)));
    if (kept.length !== 1)
      problems.push(
        `ingest id ${id}: ${kept.length} of ${records.length} copies are stored: ${records.map(identityOf).join(', ')}`,
      );
    for (const record of records) if (!kept.includes(record)) left.add(record);
  }
  return { effective: topic.filter((record) => !left.has(record)), repeated: left.size, problems };
}

function ingestIdOf({ headers }: KafkaRecord): string | undefined {
  const id = headers[HEADERS.ingestId];
  return id === undefined ? undefined : String(id);
}

function identityOf({ partition, offset, value }: KafkaRecord): string {
  return `${partition}/${offset} ${digest(value)}`;
}

function pipelineProblems(evidence: Evidence): string[] {
  const stored = new Set([...evidence.events, ...evidence.deadLetters]);
  const { effective, problems } = storedOnce(evidence.topic, stored);
  const expected = expectedOf(effective);
  const numbers = new Set(evidence.topic.map(({ value }) => Number(/"n":(\d+)/.exec(String(value))?.[1])));
  const acknowledged = Array.from({ length: evidence.acknowledged }, (_, n) => n);
  const counts = Map.groupBy(evidence.numbers, (n) => n);
  const http = [...evidence.accepted];
  return [
    ...problems,
    ...difference('events', evidence.events, expected.expectedEvents),
    ...difference('dead letters', evidence.deadLetters, expected.expectedDeadLetters),
    ...difference('detections', texts(evidence.detections), texts(expected.expectedDetections)),
    ...difference('published revisions', evidence.published, expected.expectedPublished),
    ...evidence.replicaDifferences,
    ...named(
      'acknowledged records are not on the topic',
      acknowledged.filter((n) => !numbers.has(n)),
    ),
    ...named(
      'events accepted over HTTP are not stored',
      http.filter((n) => !counts.has(n)),
    ),
    ...named(
      'events accepted over HTTP are stored more than once',
      http.filter((n) => (counts.get(n)?.length ?? 0) > 1),
    ),
    // Without data the checks above prove nothing.
    ...(expected.expectedDetections.length > 0 ? [] : ['there was nothing to detect']),
    ...(expected.expectedDeadLetters.length > 0 ? [] : ['there was nothing to refuse']),
    ...(http.length > 0 ? [] : ['no event was accepted over HTTP']),
  ];
}

function executionProblems({ executions, executionRows, repeatedEnds, startedFor, detectionIds }: Evidence): string[] {
  const rows = new Map(executionRows.map((row) => [row.id, row]));
  const wrong = [...executions].flatMap(([n, id]) => {
    const row = rows.get(id);
    if (row === undefined) return [`execution ${id} of ${n} is not there`];
    if (row.status !== 'completed') return [`execution ${id} of ${n} is ${row.status}`];
    const isRight = JSON.stringify(row.result) === JSON.stringify({ n });
    return isRight ? [] : [`execution ${id} of ${n} returned ${JSON.stringify(row.result)}`];
  });
  const repeated = [...Map.groupBy(executionRows, ({ n }) => n)].filter(([, of]) => of.length > 1);
  return [
    ...wrong,
    ...repeatedEnds,
    ...repeated.map(([n, of]) => `${of.length} executions were started for the request ${n}`),
    ...difference('workflows started by detections', startedFor, detectionIds),
    ...(executions.size > 0 ? [] : ['no execution was accepted']),
  ];
}

function auditProblems(evidence: Evidence): string[] {
  const rows = new Set(evidence.exceptionRows);
  return [
    ...(evidence.auditBroken === undefined || evidence.auditBroken === null
      ? []
      : [`the audit log is broken: ${JSON.stringify(evidence.auditBroken)}`]),
    ...(evidence.auditVerified >= rows.size ? [] : [`the audit log has ${evidence.auditVerified} entries only`]),
    ...named(
      'accepted exceptions are not there',
      [...evidence.exceptions].filter((id) => !rows.has(id)),
    ),
    ...difference('audit entries of exceptions', evidence.auditedExceptions, evidence.exceptionRows),
    ...(evidence.exceptions.size > 0 ? [] : ['no exception was accepted']),
  ];
}

function named(what: string, names: readonly (string | number)[]): string[] {
  return names.length === 0 ? [] : [`${names.length} ${what}: ${names.slice(0, 5).join(', ')}`];
}

const texts = (facts: readonly object[]): string[] => facts.map((fact) => JSON.stringify(fact));
