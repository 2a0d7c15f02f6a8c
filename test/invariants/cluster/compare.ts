import type { KafkaRecord } from '#ingest/kafka/port.ts';
import { HEADERS } from '#schemas/topics.ts';
import type { DetectionFacts } from '#test/support/detection-facts.ts';
import { difference } from '../exactly-once.ts';
import { digest, expectedOf } from '../oracle.ts';

/** All that a run left behind. */
export interface Evidence {
  /** Records of the events topic, by partition and offset. */
  readonly topic: readonly KafkaRecord[];
  /** `partition/offset digest` of each row, of one replica of each shard; doubled rows are shown. */
  readonly events: readonly string[];
  readonly deadLetters: readonly string[];
  /** Number of each stored event; doubled ones are shown. */
  readonly numbers: readonly number[];
  /** Detections that follow from the stored events alone. */
  readonly detections: readonly DetectionFacts[];
  /** Ids of all detections. */
  readonly detectionIds: readonly string[];
  /** `id revision` on the topic of detections, each once. */
  readonly published: readonly string[];
  readonly replicaDifferences: readonly string[];
  /** Numbers 0 up to this were acknowledged by Kafka. */
  readonly acknowledged: number;
  /** Numbers of events that were accepted over HTTP. */
  readonly accepted: ReadonlySet<number>;
  /** Accepted executions by the number that each must return. */
  readonly executions: ReadonlyMap<number, string>;
  readonly executionRows: readonly ExecutionRow[];
  /** Executions that have not ended exactly once, in words. */
  readonly repeatedEnds: readonly string[];
  /** Ids of the detections for which the workflow on detections was started, one for each start. */
  readonly startedFor: readonly string[];
  /** Ids of accepted exceptions, of those in the database, and of those in the audit log. */
  readonly exceptions: ReadonlySet<string>;
  readonly exceptionRows: readonly string[];
  readonly auditedExceptions: readonly string[];
  /** Number of the first entry of the audit log that is altered, removed or moved; undefined: none. */
  readonly auditBroken: unknown;
  readonly auditVerified: number;
  /** Responses that are neither success nor temporary. */
  readonly refusals: readonly string[];
  /** What was still not done when the wait for it ended, in words. */
  readonly unsettled: readonly string[];
  /** Of the Trapline processes, when they were ended by SIGTERM. */
  readonly exitCodes: ReadonlyMap<string, number>;
  /** So many programs waited for a processor that a process may not end in the time it is given, which is exit code 1. */
  readonly isOverloaded: boolean;
}

export interface ExecutionRow {
  readonly id: string;
  readonly status: string;
  readonly n: number;
  readonly result: unknown;
}

/** What of a run is not as it should be, in words; empty when all is. */
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
 * Records of the topic that had to be stored: all, but those that were sent again. A request over HTTP that was repeated, or whose answer was lost
 * inside the API, has records with the same ingest id; one of each is stored.
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
    // What finds nothing proves nothing.
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
