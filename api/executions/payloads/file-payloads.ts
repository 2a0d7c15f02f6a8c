import { Buffer } from 'node:buffer';
import type { FileStore } from '../files/port.ts';
import { MAX_PAYLOAD_BYTES, type PayloadStore } from './port.ts';

/**
 * Stores payloads in the file store. It stores equal contents once, so the name of the payload is part of the content.
 * Otherwise deleting one execution could delete the payload of another. Format: length of the name in two bytes, the
 * name, the payload. A reference is the hash, a colon and the payload length, which quotas use. Older references have
 * only the hash.
 */
export function createFilePayloads(files: FileStore): PayloadStore {
  return {
    async put(name, bytes) {
      const label = Buffer.from(name);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(label.length);
      const staged = await files.stage([length, label, bytes], { maxBytes: MAX_PAYLOAD_BYTES + label.length + 2 });
      await staged.keep();
      return `${staged.hash}:${bytes.length}`;
    },
    async get(reference) {
      const stream = await files.read(hashOf(reference));
      if (stream === undefined) throw new Error(`there is no payload ${reference}`);
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const whole = Buffer.concat(chunks);
      return whole.subarray(2 + whole.readUInt16BE(0));
    },
    async *read(reference) {
      const stream = await files.read(hashOf(reference));
      if (stream === undefined) throw new Error(`there is no payload ${reference}`);
      let label: Buffer | undefined = Buffer.alloc(0);
      for await (const chunk of stream) {
        if (label === undefined) {
          yield chunk as Buffer;
          continue;
        }
        label = Buffer.concat([label, chunk as Buffer]);
        const begin = label.length < 2 ? Number.POSITIVE_INFINITY : 2 + label.readUInt16BE(0);
        if (label.length < begin) continue;
        yield label.subarray(begin);
        label = undefined;
      }
    },
    delete: (references) => files.delete(references.map(hashOf)),
  };
}

function hashOf(reference: string): string {
  return reference.split(':', 1)[0] ?? '';
}
