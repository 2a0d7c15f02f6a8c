import type { ClickHouse } from '../client.ts';
import { detectionPlacesTable } from '../tables/detection-places.ts';
import { type MovingRows, nanosecondsKey, textKey, WALK_BEGAN } from './sort-keys.ts';

const { select: _, ...lastSeenKey } = nanosecondsKey('lastSeen');

/** Detections stand in lists by their latest evidence. A walk goes by where they stood when it began, for those that have grown since. */
export function detectionPlaces(clickhouse: ClickHouse): MovingRows {
  const places = clickhouse.table(detectionPlacesTable.name);
  const began = `fromUnixTimestamp64Milli({${WALK_BEGAN}:Int64}, 'UTC')`;
  const before = `SELECT id, argMax(toUnixTimestamp64Nano(lastSeen), revision) AS place FROM ${places}
    WHERE landed <= ${began} AND id IN (SELECT id FROM ${places} WHERE landed > ${began}) GROUP BY id`;
  // The same text both times, so that the server asks once. Never empty, which `transform` would not take.
  const moved = `(SELECT (arrayPushBack(groupArray(id), ''), arrayPushBack(groupArray(place), toInt64(0))) FROM (${before}))`;
  const place = `transform(id, tupleElement(${moved}, 1), tupleElement(${moved}, 2), toUnixTimestamp64Nano(lastSeen))`;
  return {
    began: `(SELECT toString(toUnixTimestamp64Milli(max(landed))) FROM ${places})`,
    shape: /^\d{1,15}$/,
    keys: [
      { ...lastSeenKey, column: place, select: `toString(${place})`, place: (name) => `{${name}:Int64}` },
      textKey('id'),
    ],
  };
}
