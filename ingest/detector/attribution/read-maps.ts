/** A file mapping around an address, from `/proc/PID/maps`. */
export interface FileMapping {
  readonly start: bigint;
  readonly end: bigint;
  /** `major:minor`, hexadecimal. */
  readonly device: string;
  readonly inode: number;
  readonly path: string;
}

const LINE = /^([0-9a-f]{1,16})-([0-9a-f]{1,16}) \S{4} [0-9a-f]+ ([0-9a-f]+:[0-9a-f]+) (\d+) +(\/.*)$/;

/** Returns the file mapping that contains the address. Returns null if the address is not mapped or has no file. */
export function findMapping(maps: string, address: bigint): FileMapping | null {
  for (const line of maps.split('\n')) {
    const match = LINE.exec(line);
    if (!match) continue;
    const start = BigInt(`0x${match[1]}`);
    const end = BigInt(`0x${match[2]}`);
    if (address < start || address >= end) continue;
    // The kernel writes a newline in a path as `\012`.
    const path = (match[5] as string).replaceAll('\\012', '\n');
    return { start, end, device: match[3] as string, inode: Number(match[4]), path };
  }
  return null;
}
