import { createExceptionFinder, type DetectionException } from '../../detections/exception.ts';
import type { ClickHouse } from '../client.ts';
import { OPEN } from './detection-summary.ts';

/** A detection an exception would have silenced. */
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
  /** Detections that were looked at, the newest. */
  readonly examined: number;
  /** False when there are more than were looked at. */
  readonly complete: boolean;
  readonly silenced: number;
  /** Those among them that are open now. */
  readonly open: number;
  /** The newest of them. */
  readonly examples: readonly SilencedDetection[];
}

type Row = SilencedDetection & { readonly open: boolean };

const MAX_EXAMINED = 100_000;
const EXAMPLES = 20;

/**
 * What the exception would have silenced of the detections that are kept, decided by the code that silences. Of a program only its process name and
 * its file are kept; where the rules knew it by another name, the preview does not.
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
