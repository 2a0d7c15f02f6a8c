import { readSync } from 'node:fs';

const HEADER_BYTES = 64;
const MAX_PROGRAM_HEADERS = 128;
const MAX_NOTES_BYTES = 65_536;
const PT_NOTE = 4;
const NT_GNU_BUILD_ID = 3;

/**
 * Returns the GNU build id of the open ELF file as hexadecimal digits. Returns null if it has none or is not an ELF
 * file.
 */
export function readBuildId(fd: number): string | null {
  const header = readAt(fd, 0, HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.readUInt32BE(0) !== 0x7f45_4c46) return null;
  const wide = header[4] === 2;
  const little = header[5] === 1;
  const u16 = (from: Buffer, at: number): number => (little ? from.readUInt16LE(at) : from.readUInt16BE(at));
  const u32 = (from: Buffer, at: number): number => (little ? from.readUInt32LE(at) : from.readUInt32BE(at));
  const u64 = (from: Buffer, at: number): number =>
    Number(little ? from.readBigUInt64LE(at) : from.readBigUInt64BE(at));
  const word = wide ? u64 : u32;
  const [offset, size, count] = [
    word(header, wide ? 32 : 28),
    u16(header, wide ? 54 : 42),
    u16(header, wide ? 56 : 44),
  ];
  if (count > MAX_PROGRAM_HEADERS || size < (wide ? 56 : 32)) return null;
  const table = readAt(fd, offset, size * count);
  for (let at = 0; at + size <= table.length; at += size) {
    if (u32(table, at) !== PT_NOTE) continue;
    const length = word(table, at + (wide ? 32 : 16));
    const notes = readAt(fd, word(table, at + (wide ? 8 : 4)), Math.min(length, MAX_NOTES_BYTES));
    const found = findBuildId(notes, u32);
    if (found !== null) return found;
  }
  return null;
}

function findBuildId(notes: Buffer, u32: (from: Buffer, at: number) => number): string | null {
  for (let at = 0; at + 12 <= notes.length; ) {
    const nameSize = u32(notes, at);
    const size = u32(notes, at + 4);
    const name = at + 12;
    const content = name + align(nameSize);
    if (content + size > notes.length) return null;
    if (u32(notes, at + 8) === NT_GNU_BUILD_ID && notes.toString('latin1', name, name + 4) === 'GNU\0')
      return notes.toString('hex', content, content + size);
    at = content + align(size);
  }
  return null;
}

function align(size: number): number {
  return (size + 3) & ~3;
}

function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, position));
}
