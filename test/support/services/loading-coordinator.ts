import { connect, createServer, type Socket } from 'node:net';

/**
 * Relay in front of a broker that responds to requests for the group coordinator like a coordinator that is loading its
 * part of `__consumer_offsets`: with error 14 and without any effect. A real broker is in this state while it reads the
 * committed offsets of its groups: minutes with many commits, but no measurable time in a test, so a test cannot cause
 * it. All other requests go to the real broker, and so do all requests after the end of the loading.
 */
export interface LoadingCoordinator {
  /** Refuses coordinator requests from now on, until `loaded`. */
  load(): void;
  loaded(): void;
  /** Number of refused requests by name. */
  readonly refused: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

const LOAD_IN_PROGRESS = 14;

interface Request {
  readonly key: number;
  readonly version: number;
  readonly correlationId: number;
  readonly body: Cursor;
}

interface Refusal {
  readonly name: string;
  /** First protocol version with variable-size lengths and tagged fields. */
  readonly flexibleFrom: number;
  /** Returns the body of the response. */
  readonly answer: (request: Request, isFlexible: boolean) => Buffer;
}

/** Refusals by API key of the request. */
const REFUSALS: Readonly<Record<number, Refusal>> = {
  8: { name: 'OffsetCommit', flexibleFrom: 8, answer: refuseCommit },
  9: { name: 'OffsetFetch', flexibleFrom: 6, answer: refuseOffsetFetch },
  11: { name: 'JoinGroup', flexibleFrom: 6, answer: refuseJoin },
  12: {
    name: 'Heartbeat',
    flexibleFrom: 4,
    answer: (_, flexible) => Buffer.concat([int32(0), error(), tags(flexible)]),
  },
  14: { name: 'SyncGroup', flexibleFrom: 4, answer: refuseSync },
};

/** @param target port of the broker on loopback; the broker must advertise `port`. */
export async function startLoadingCoordinator(target: number, port: number): Promise<LoadingCoordinator> {
  const refused = new Map<string, number>();
  const open = new Set<Socket>();
  let isLoading = false;
  const relay = createServer((client) => {
    const broker = connect(target, '127.0.0.1');
    for (const socket of [client, broker]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        broker.destroy();
      });
    }
    broker.pipe(client);
    let received = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) {
        const frame = received.subarray(0, 4 + received.readInt32BE(0));
        received = received.subarray(frame.length);
        const answer = isLoading ? refusalOf(frame, refused) : undefined;
        if (answer === undefined) broker.write(frame);
        else client.write(answer);
      }
    });
  });
  await new Promise<void>((resolve) => relay.listen(port, '127.0.0.1', resolve));
  return {
    load() {
      isLoading = true;
    },
    loaded() {
      isLoading = false;
    },
    refused,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}

/** Returns the response to a coordinator request; undefined for any other request. */
function refusalOf(frame: Buffer, refused: Map<string, number>): Buffer | undefined {
  const from = new Cursor(frame.subarray(4));
  const [key, version, correlationId] = [from.int16(), from.int16(), from.int32()];
  const refusal = REFUSALS[key];
  if (refusal === undefined) return undefined;
  const isFlexible = version >= refusal.flexibleFrom;
  from.text(false); // Client id.
  if (isFlexible) from.at += 1;
  refused.set(refusal.name, (refused.get(refusal.name) ?? 0) + 1);
  const body = refusal.answer({ key, version, correlationId, body: from }, isFlexible);
  const rest = Buffer.concat([int32(correlationId), tags(isFlexible), body]);
  return Buffer.concat([int32(rest.length), rest]);
}

function refuseJoin({ version }: Request, flexible: boolean): Buffer {
  return Buffer.concat([
    ...(version >= 2 ? [int32(0)] : []),
    error(),
    int32(-1),
    ...(version >= 7 ? [NULL] : []), // Protocol type.
    version >= 7 ? NULL : text('', flexible), // Protocol name.
    text('', flexible), // Leader.
    ...(version >= 9 ? [Buffer.of(0)] : []), // Assignment is not skipped.
    text('', flexible), // Member id.
    none(flexible), // Members.
    tags(flexible),
  ]);
}

function refuseSync({ version }: Request, flexible: boolean): Buffer {
  return Buffer.concat([
    ...(version >= 1 ? [int32(0)] : []),
    error(),
    ...(version >= 5 ? [NULL, NULL] : []), // Protocol type and name.
    none(flexible), // Assignment, no bytes.
    tags(flexible),
  ]);
}

function refuseOffsetFetch({ version, body }: Request, flexible: boolean): Buffer {
  if (version < 8) return Buffer.concat([...(version >= 3 ? [int32(0)] : []), none(flexible), error(), tags(flexible)]);
  body.length(); // Groups: one.
  const groupId = body.text(true);
  return Buffer.concat([int32(0), Buffer.of(2), text(groupId, true), none(true), error(), tags(true), tags(true)]);
}

/** Returns the error for each partition named in the request. */
function refuseCommit({ version, body }: Request, flexible: boolean): Buffer {
  body.text(flexible); // Group.
  body.at += 4; // Generation.
  body.text(flexible); // Member.
  if (version >= 7) body.text(flexible); // Static name.
  if (version >= 2 && version <= 4) body.at += 8; // Retention.
  const topics = body.count(flexible);
  const answers: Buffer[] = [count(topics, flexible)];
  for (let left = topics; left > 0; left--) {
    answers.push(text(body.text(flexible), flexible));
    const partitions = body.count(flexible);
    answers.push(count(partitions, flexible));
    for (let more = partitions; more > 0; more--) {
      answers.push(int32(body.int32()), error(), tags(flexible));
      body.at += 8; // Offset.
      if (version >= 6) body.at += 4; // Epoch of the leader.
      body.text(flexible); // Metadata.
      if (flexible) body.at += 1;
    }
    answers.push(tags(flexible));
    if (flexible) body.at += 1;
  }
  return Buffer.concat([...(version >= 3 ? [int32(0)] : []), ...answers, tags(flexible)]);
}

const NULL = Buffer.of(0);

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function error(): Buffer {
  return Buffer.of(0, LOAD_IN_PROGRESS);
}

function tags(flexible: boolean): Buffer {
  return flexible ? Buffer.of(0) : Buffer.alloc(0);
}

/** Strings and lists here are shorter than 127, so a variable-size length takes one byte. */
function count(length: number, flexible: boolean): Buffer {
  return flexible ? Buffer.of(length + 1) : int32(length);
}

function none(flexible: boolean): Buffer {
  return count(0, flexible);
}

function text(value: string, flexible: boolean): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([
    flexible ? Buffer.of(bytes.length + 1) : Buffer.of(bytes.length >> 8, bytes.length & 0xff),
    bytes,
  ]);
}

class Cursor {
  readonly #bytes: Buffer;
  at = 0;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  int16(): number {
    this.at += 2;
    return this.#bytes.readInt16BE(this.at - 2);
  }
  int32(): number {
    this.at += 4;
    return this.#bytes.readInt32BE(this.at - 4);
  }
  /** Reads a compact length, which is stored plus one. */
  length(): number {
    return this.#bytes.readUInt8(this.at++) - 1;
  }
  count(flexible: boolean): number {
    return flexible ? this.length() : this.int32();
  }
  /** Returns an empty string for null. */
  text(flexible: boolean): string {
    const length = Math.max(0, flexible ? this.length() : this.int16());
    this.at += length;
    return this.#bytes.toString('utf8', this.at - length, this.at);
  }
}
