import type { ClickHouse } from '../client.ts';
import { detectionPlacesTable } from '../tables/detection-places.ts';
import { type SortKey, WALK_BEGAN } from './sort-keys.ts';

/** A column of the table of places, as a whole number. */
export interface PlaceValue {
  /** SQL of the value of a row, both of the table of places and of detections. */
  readonly value: string;
  readonly type: 'Int64' | 'UInt64';
  /** SQL of a row of the table of places without the value. */
  readonly unknown?: string;
}

export const LAST_SEEN: PlaceValue = { value: 'toUnixTimestamp64Nano(lastSeen)', type: 'Int64' };

/** SQL of what a walk notes when it begins: when the latest revision landed, by the clock of the server. */
export function walkBegan(clickhouse: ClickHouse): string {
  return `(SELECT toString(toUnixTimestamp64Milli(max(landed))) FROM ${clickhouse.table(detectionPlacesTable.name)})`;
}

/** SQL of the value that each detection had when the walk began, for those that have grown since; the present value of others. */
export function valueThen(clickhouse: ClickHouse, { value, type, unknown }: PlaceValue): string {
  const places = clickhouse.table(detectionPlacesTable.name);
  const began = `fromUnixTimestamp64Milli({${WALK_BEGAN}:Int64}, 'UTC')`;
  const before = `SELECT id, argMax(${value}, revision) AS place FROM ${places}
    WHERE landed <= ${began} AND id IN (SELECT id FROM ${places} WHERE landed > ${began})${unknown === undefined ? '' : ` AND NOT (${unknown})`} GROUP BY id`;
  // The same text both times, so that the server asks once. Never empty, which `transform` would not take.
  const moved = `(SELECT (arrayPushBack(groupArray(id), ''), arrayPushBack(groupArray(to${type}(place)), to${type}(0))) FROM (${before}))`;
  return `transform(id, tupleElement(${moved}, 1), tupleElement(${moved}, 2), to${type}(${value}))`;
}

/** A sort key by the SQL of a whole number. */
export function wholeKey(column: string, type: PlaceValue['type'], select = column): SortKey {
  return { column, select: `toString(${select})`, place: (name) => `{${name}:${type}}`, shape: /^-?\d{1,20}$/ };
}
