import { DEFAULT_ORDERS, type DetectionSort, type SortOrder } from '#schemas/api/detection-sort.ts';
import { SEVERITIES } from '#schemas/detection.ts';
import type { ClickHouse } from '../client.ts';
import { cursorLabel } from './cursor.ts';
import { LAST_SEEN, type PlaceValue, valueThen, walkBegan, wholeKey } from './detection-places.ts';
import type { ListDefinition } from './list-definition.ts';
import { riskScores } from './risk-scores.ts';
import { nanosecondsKey, type SortKey, textKey } from './sort-keys.ts';

/** Sort order of a list of detections. Default: by latest evidence. */
export interface DetectionOrder {
  readonly sort?: DetectionSort | undefined;
  readonly order?: SortOrder | undefined;
}

type Ordering = Pick<ListDefinition<never, never>, 'keys' | 'moving' | 'direction' | 'label' | 'params'>;

const SEVERITY: PlaceValue = {
  value: `indexOf([${SEVERITIES.map((severity) => `'${severity}'`).join(', ')}], severity)`,
  type: 'UInt64',
  unknown: `severity = ''`,
};
const CRASHES: PlaceValue = { value: 'crashes', type: 'UInt64', unknown: `severity = ''` };
/** Detections without a host sort last. */
const HOST: SortKey = {
  column: `ifNull(concat('=', hostname), '')`,
  select: `ifNull(concat('=', hostname), '')`,
  place: (name) => `{${name}:String}`,
  shape: /^.{0,5000}$/s,
};
const BEGAN_SHAPE = /^\d{1,15}$/;

/**
 * Returns the sort keys of a list. Equal values are sorted by latest evidence, newest first. For severity, crashes and
 * evidence, a walk uses the values that each detection had when the walk began. The host never changes. The risk is
 * that of the host, computed from all current detections for the instant in the walk's cursor. A walk by risk may
 * therefore repeat or miss detections that change during it.
 */
export function detectionOrdering(
  clickhouse: ClickHouse,
  { sort = 'lastSeen', order = DEFAULT_ORDERS[sort] }: DetectionOrder,
  cursor: string | undefined,
  nowSeconds = Math.floor(Date.now() / 1_000),
): Ordering {
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  const began = { began: walkBegan(clickhouse), shape: BEGAN_SHAPE };
  const lastSeenThen = valueThen(clickhouse, LAST_SEEN);
  if (sort === 'lastSeen') {
    const keys = [nanosecondsKey('lastSeen'), textKey('id')];
    // Cursors without a label exist since before the other orders.
    const label = order === 'desc' ? {} : { label: 'lastSeen asc' };
    return { keys, moving: { ...began, keys: [wholeKey(lastSeenThen, 'Int64'), textKey('id')] }, direction, ...label };
  }
  /** Sorts the latest first in both directions. */
  const newestFirst = (lastSeen: string) => wholeKey(order === 'asc' ? `-${lastSeen}` : lastSeen, 'Int64');
  const now = [newestFirst(LAST_SEEN.value), textKey('id')];
  const then = [newestFirst(lastSeenThen), textKey('id')];
  const label = `${sort} ${order}`;
  switch (sort) {
    case 'severity':
    case 'crashes': {
      const of = sort === 'severity' ? SEVERITY : CRASHES;
      return {
        keys: [wholeKey(of.value, of.type), ...now],
        moving: { ...began, keys: [wholeKey(valueThen(clickhouse, of), of.type), ...then] },
        direction,
        label,
      };
    }
    case 'host':
      return { keys: [HOST, ...now], moving: { ...began, keys: [HOST, ...then] }, direction, label };
    case 'risk': {
      const at = Number(/^risk \w+ (\d{1,12})$/.exec(cursorLabel(cursor) ?? '')?.[1] ?? nowSeconds);
      const named = { sql: 'hostname IS NOT NULL', params: {} };
      const { sql, params } = riskScores(clickhouse, 'assumeNotNull(hostname)', { at, includesLater: true }, [named]);
      const key = wholeKey(riskOf(sql), 'Int64');
      return {
        keys: [key, ...now],
        moving: { ...began, keys: [key, ...then] },
        direction,
        label: `${label} ${at}`,
        params,
      };
    }
  }
}

/** Returns SQL of the risk of a row's host, in hundredths of a point. */
function riskOf(scores: string): string {
  const found = `(SELECT (arrayPushBack(groupArray(toString(key)), ''), arrayPushBack(groupArray(toInt64(round(score * 100))), toInt64(0))) FROM (${scores}))`;
  return `transform(ifNull(toString(hostname), ''), tupleElement(${found}, 1), tupleElement(${found}, 2), toInt64(0))`;
}
