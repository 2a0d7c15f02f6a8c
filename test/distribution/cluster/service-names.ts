import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const TYPE_A = 1;
const NAME_ERROR = 3;
const SUFFIX = '.svc.cluster.local';
const TTL_SECONDS = 2;
const LIST_TTL_MS = 3_000;

/** Addresses of the Services by `NAME.NAMESPACE`. */
export type ServiceAddresses = ReadonlyMap<string, string>;

/**
 * DNS server for the pods: answers with A records of Services that have an address, on UDP. Other names do not exist.
 * Compiling CoreDNS would take longer than the rest of a run.
 */
export async function startServiceNames(
  address: string,
  list: () => Promise<ServiceAddresses>,
): Promise<{ stop(): Promise<void> }> {
  const socket: Socket = createSocket('udp4');
  const services = cached(list);
  socket.on('message', async (query, { port, address: client }) => {
    const answer = await respond(query, services).catch(() => undefined);
    if (answer !== undefined) socket.send(answer, port, client);
  });
  socket.bind(53, address);
  await once(socket, 'listening');
  return {
    async stop() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** Returns undefined for a message that is not a query for exactly one name. */
async function respond(query: Buffer, services: () => Promise<ServiceAddresses>): Promise<Buffer | undefined> {
  if (query.length < 17 || query.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = query.readUInt16BE(at + 1);
  const question = query.subarray(12, at + 5);
  const name = labels.join('.').toLowerCase();
  const address = name.endsWith(SUFFIX) ? (await services()).get(name.slice(0, -SUFFIX.length)) : undefined;
  const records = address !== undefined && type === TYPE_A ? 1 : 0;
  const header = Buffer.alloc(12);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(0x8580 | (address === undefined ? NAME_ERROR : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records, 6);
  if (records === 0) return Buffer.concat([header, question]);
  const record = Buffer.alloc(16);
  // The name is a compression pointer to the name in the question.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(TTL_SECONDS, 6);
  record.writeUInt16BE(4, 10);
  record.set((address ?? '').split('.').map(Number), 12);
  return Buffer.concat([header, question, record]);
}

/** Caches the list for a moment: a client that connects queries several names of each server. */
function cached(list: () => Promise<ServiceAddresses>): () => Promise<ServiceAddresses> {
  let listed: Promise<ServiceAddresses> | undefined;
  let until = 0;
  return () => {
    if (listed === undefined || Date.now() > until) {
      until = Date.now() + LIST_TTL_MS;
      listed = list();
      // The next query reads the list again after a failure.
      listed.catch(() => {
        until = 0;
      });
    }
    return listed;
  };
}
