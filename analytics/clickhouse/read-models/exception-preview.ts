import { createExceptionFinder, type DetectionException } from '../../detections/exception.ts';
import type { ClickHouse } from '../client.ts';
import { OPEN } from './detection-summary.ts';

/** A detection that an exception would have silenced. */
export interface SilencedDetection {
  readonly id: string;
  readonly rule: string;
  readonly hostname: string | null;
  readonly procname: string | null;
  readonly file: string | null;
  readonly lastSeen: string;
  readonly message: string;
}

export interface ExceptionPreview {
  /** Number of detections examined, the newest. */
  readonly examined: number;
  /** False if there are more than were examined. */
  readonly complete: boolean;
  readonly silenced: number;
  /** Number of silenced detections that are open now. */
  readonly open: number;
  /** The newest silenced detections. */
  readonly examples: readonly SilencedDetection[];
}

type Row = SilencedDetection & { readonly open: boolean };

const MAX_EXAMINED = 100_000;
const EXAMPLES = 20;

/**
 * Returns which stored detections the exception would have silenced. Uses the same code as silencing. Only the process
 * name and the file of a program are stored, so the preview misses programs that the rules know by another name.
 */
export async function previewException(
  clickhouse: ClickHouse,
  exception: DetectionException,
  most = MAX_EXAMINED,
): Promise<ExceptionPreview> {
  const find = createExceptionFinder([exception]);
  const examples: SilencedDetection[] = [];
  let examined = 0;
  let silenced = 0;
  let stillOpen = 0;
  const batches = clickhouse.stream<Row>(
    'preview an exception',
    `SELECT id, rule.id AS rule, hostname, procname, file, lastSeen, message, ${OPEN} AS open FROM ${clickhouse.table('detections')}
     ORDER BY detections.lastSeen DESC, id DESC LIMIT {limit:UInt64}`,
    { params: { limit: most + 1 }, settings: { max_execution_time: 20 } },
  );
  for await (const batch of batches)
    for (const { open, ...one } of batch) {
      examined += 1;
      if (examined > most) break;
      const programs = [one.procname, one.file].filter((name) => name !== null);
      if (find({ ...one, programs }) === null) continue;
      silenced += 1;
      if (open) stillOpen += 1;
      if (examples.length < EXAMPLES) examples.push(one);
    }
  return { examined: Math.min(examined, most), complete: examined <= most, silenced, open: stillOpen, examples };
}
