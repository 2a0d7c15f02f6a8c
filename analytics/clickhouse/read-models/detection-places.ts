import type { ClickHouse } from '../client.ts';
import { detectionPlacesTable } from '../tables/detection-places.ts';
import { type SortKey, WALK_BEGAN } from './sort-keys.ts';

/** A column of the table `detection_places`, as an integer. */
export interface PlaceValue {
  /** SQL of the value. It is valid for rows of both `detection_places` and detections. */
  readonly value: string;
  readonly type: 'Int64' | 'UInt64';
  /** SQL condition for a row of `detection_places` without the value. */
  readonly unknown?: string;
}

export const LAST_SEEN: PlaceValue = { value: 'toUnixTimestamp64Nano(lastSeen)', type: 'Int64' };

/** Returns SQL of the start of a walk: the time at which the latest revision was stored, by the server's clock. */
export function walkBegan(clickhouse: ClickHouse): string {
  return `(SELECT toString(toUnixTimestamp64Milli(max(landed))) FROM ${clickhouse.table(detectionPlacesTable.name)})`;
}

/**
 * Returns SQL of each detection's value when the walk began. For detections that have not changed since, it is the
 * current value.
 */
export function valueThen(clickhouse: ClickHouse, { value, type, unknown }: PlaceValue): string {
  const places = clickhouse.table(detectionPlacesTable.name);
  const began = `fromUnixTimestamp64Milli({${WALK_BEGAN}:Int64}, 'UTC')`;
  const before = `SELECT id, argMax(${value}, revision) AS place FROM ${places}
    WHERE landed <= ${began} AND id IN (SELECT id FROM ${places} WHERE landed > ${began})${unknown === undefined ? '' : ` AND NOT (${unknown})`} GROUP BY id`;
  // Both uses have the same text, so the server runs the subquery once. The array is never empty, because `transform`
  // rejects empty arrays.
  const moved = `(SELECT (arrayPushBack(groupArray(id), ''), arrayPushBack(groupArray(to${type}(place)), to${type}(0))) FROM (${before}))`;
  return `transform(id, tupleElement(${moved}, 1), tupleElement(${moved}, 2), to${type}(${value}))`;
}

/** Returns a sort key for an SQL integer. */
export function wholeKey(column: string, type: PlaceValue['type'], select = column): SortKey {
  return { column, select: `toString(${select})`, place: (name) => `{${name}:${type}}`, shape: /^-?\d{1,20}$/ };
}
