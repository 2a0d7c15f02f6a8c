import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { nanosText } from './filters.ts';
import type { LineDefinition } from './list-definition.ts';

const jsonText = (column: string): string => `toJSONString(toString(${column}))`;
const member = (name: string, column: string): string =>
  `if(${column} IS NULL, '', concat(',"${name}":"0x', if(${column} = 0, '0', trimLeft(lower(hex(assumeNotNull(${column}))), '0')), '"'))`;

/**
 * SQL of an event in the format `ndjson`. ClickHouse writes the lines, because parsing and formatting here would cost
 * ten times as much as sending. The sort key is read from the line: its time and identity. `text` is the column with
 * the event's JSON.
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
