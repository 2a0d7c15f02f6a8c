import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { onTestFinished } from 'vitest';

/** Addresses of a name, or `silent`: the server never answers. */
export type DnsZone = Readonly<Record<string, readonly string[] | 'silent'>>;

const TYPES: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 1: 'ipv4', 28: 'ipv6' };
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

/** Starts a real DNS server for a zone. Other names do not exist. Returns its address and the names that were asked. */
export async function startDnsServer(zone: DnsZone): Promise<{ readonly address: string; readonly asked: string[] }> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    const found = zone[name];
    if (found !== 'silent') socket.send(answerTo(query, end, found, type), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(query: Buffer, end: number, addresses: readonly string[] | undefined, type: number): Buffer {
  const records = (addresses ?? []).filter((text) => (isIPv4(text) ? 'ipv4' : 'ipv6') === TYPES[type]);
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180 | (addresses === undefined ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records.map((text) => recordOf(text, type))]);
}

/** A record whose name points to the question. It may not be cached. */
function recordOf(text: string, type: number): Buffer {
  const data = isIPv4(text)
    ? Buffer.from(text.split('.').map(Number))
    : Buffer.from(text.split(':').flatMap(bytesOfGroup));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Bytes of one of the eight groups of an IPv6 address that is not shortened. */
function bytesOfGroup(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
