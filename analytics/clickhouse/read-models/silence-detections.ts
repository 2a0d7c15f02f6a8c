import { createExceptionFinder, type DetectionException } from '../../detections/exception.ts';
import type { ClickHouse } from '../client.ts';
import { insertRows } from '../insert-rows.ts';
import { detectionSilencesTable, type SilenceTableRow } from '../tables/detection-silences.ts';
import { QUERY_LIMITS } from './list-query.ts';

/** Maximum number of detections per call, the newest. A preview examines the same ones. */
const MAX_DETECTIONS = 100_000;

interface SilenceableRow {
  readonly id: string;
  readonly rule: string;
  readonly hostname: string | null;
  readonly procname: string | null;
  readonly file: string | null;
  readonly lastSeen: string;
}

/**
 * Silences the detections that are neither closed nor silenced and that the exception covers. `changedMs` is the time
 * of the change. Resolves with their number.
 */
export function silenceDetections(
  clickhouse: ClickHouse,
  exception: DetectionException,
  changedMs: number,
): Promise<number> {
  return replaceSilences(clickhouse, { where: 'exception IS NULL', params: {} }, [exception], changedMs, false);
}

/**
 * Removes the exception from the detections that are not closed and that it silenced. One of `others` that covers a
 * detection takes its place. Resolves with the number of detections that it silenced.
 */
export function unsilenceDetections(
  clickhouse: ClickHouse,
  exceptionId: string,
  others: readonly DetectionException[],
  changedMs: number,
): Promise<number> {
  const had = { where: 'exception = {exception:String}', params: { exception: exceptionId } };
  return replaceSilences(clickhouse, had, others, changedMs, true);
}

/** `includeUncovered`: also updates detections that no exception covers. They are open from then on. */
async function replaceSilences(
  clickhouse: ClickHouse,
  { where, params }: { readonly where: string; readonly params: Readonly<Record<string, unknown>> },
  exceptions: readonly DetectionException[],
  changedMs: number,
  includeUncovered: boolean,
): Promise<number> {
  const find = createExceptionFinder(exceptions);
  const rows = await clickhouse.rows<SilenceableRow>(
    'look for detections that exceptions cover',
    `SELECT id, rule.id AS rule, hostname, procname, file, lastSeen FROM ${clickhouse.table('detections')}
     WHERE status != 'closed' AND ${where} ORDER BY detections.lastSeen DESC, id DESC LIMIT {limit:UInt64}`,
    { params: { ...params, limit: MAX_DETECTIONS }, settings: { ...QUERY_LIMITS } },
  );
  const marks = rows.flatMap(({ id, procname, file, ...subject }): SilenceTableRow[] => {
    const programs = [procname, file].filter((name) => name !== null);
    const exception = find({ ...subject, file, programs });
    return exception === null && !includeUncovered ? [] : [{ id, changedMs, exception }];
  });
  await insertRows(clickhouse, detectionSilencesTable, marks);
  return marks.length;
}
