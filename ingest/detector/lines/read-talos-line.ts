import { bareLine, FACILITIES, type KernelLine, LEVELS } from './kernel-line.ts';
import { readClockLine } from './read-clock-line.ts';

const TALOS =
  /^(?:(\S{1,255}): | )?([a-z0-9]{3,8}): {1,4}([a-z]{3,7}): \[(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{1,9}Z)\]: /;

/**
 * Reads `talosctl dmesg`: `192.0.2.7: kern:    info: [2024-01-05T10:11:12.345678901Z]: text`, with or without the node.
 * Returns null for other lines.
 */
export function readTalosLine(raw: string): KernelLine | null {
  const match = TALOS.exec(raw);
  if (!match) return null;
  // Rewritten to the journal's form, to reuse its reader.
  const timed = readClockLine(`${match[4]} kernel: `);
  const facility = FACILITIES.indexOf(match[2] as string);
  const level = LEVELS.findIndex((name) => (match[3] as string).startsWith(name));
  const line = bareLine(raw.slice(match[0].length));
  line.realtime = timed?.realtime ?? null;
  line.hostname = match[1] ?? null;
  line.level = level < 0 ? null : level;
  // The kernel never uses a facility without a name in this list.
  line.facility = facility < 0 ? 16 : facility;
  return line;
}
