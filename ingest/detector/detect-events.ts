import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { createKernelLogParser, type KernelLogParserOptions } from './kernel-log-parser.ts';

/**
 * Returns all events of a kernel log, in the order of their first lines. `createLineReader` documents the supported
 * formats.
 */
export function detectEventsFromText(text: string, options: KernelLogParserOptions): EventV1[] {
  const parser = createKernelLogParser(options);
  const events: EventV1[] = [];
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    const line = text.charCodeAt(end - 1) === 13 ? text.slice(from, end - 1) : text.slice(from, end);
    for (const { event } of parser.push(line)) events.push(event);
    from = end + 1;
  }
  for (const { event } of parser.flush()) events.push(event);
  return events;
}
