import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { nanosText } from './filters.ts';
import type { LineDefinition } from './listing.ts';

const jsonText = (column: string): string => `toJSONString(toString(${column}))`;
const member = (name: string, column: string): string =>
  `if(${column} IS NULL, '', concat(',"${name}":"0x', if(${column} = 0, '0', trimLeft(lower(hex(assumeNotNull(${column}))), '0')), '"'))`;

/**
 * An event as the format `ndjson` writes it, written by ClickHouse: reading it here and writing it again would cost ten times as much as sending it. The sort
 * key is found in the line itself: its time and its identity. `text` is the column that the event's own text is taken from.
 */
export const eventLine = (text: string): LineDefinition => ({
  select: `concat(
    '{"id":', toJSONString(concat(topic, '~', toString(partition), '~', toString(offset))), ',"topic":', ${jsonText('topic')},
    ',"partition":', toString(partition), ',"offset":', toString(offset),
    ',"received":"', formatDateTime(received, '%Y-%m-%dT%H:%i:%S.'), leftPad(toString(toUnixTimestamp64Milli(received) % 1000), 3, '0'), 'Z"',
    ',"time":"', replaceOne(substring(toString(timestamp), 1, 29), ' ', 'T'), 'Z"',
    ',"hex":{', substring(concat(${['ip', 'sp', 'location', 'vmastart'].map((name) => member(name, name)).join(', ')}), 2), '}',
    ',"event":', if(position(${text}, '\\n') > 0 OR position(${text}, '\\r') > 0, translate(${text}, '\\n\\r', '  '), ${text}), '}')`,
  keyOf(line) {
    const { topic, partition, offset, time } = JSON.parse(`${line.slice(0, line.indexOf(',"hex":{'))}}`) as Head;
    const instant = parseTimestamp(time);
    if (instant === undefined) throw new Error('a line has no time');
    return [nanosText(instant), topic, String(partition), String(offset)];
  },
});

interface Head {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly time: string;
}
