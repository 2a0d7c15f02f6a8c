// A codec can replace a record batch. What, why and when it can go: docs/corrections/kafkajs-refused-batches.md.

/** @type {import('./apply.mjs').Correction} */
export const refusedBatches = {
  name: 'refused-batches',
  edits: [
    {
      path: 'src/protocol/recordBatch/v0/decoder.js',
      from: `await codec.decompress(compressedRecordsBuffer)`,
      to: `await codec.decompress(compressedRecordsBuffer, recordContext)`,
    },
    {
      path: 'src/protocol/recordBatch/v0/decoder.js',
      from: `  const records = new Array(length)

  for (let i = 0; i < length; i++) {`,
      to: `  const count = decompressedRecordBuffer.recordCount ?? length
  const records = new Array(count)

  for (let i = 0; i < count; i++) {`,
    },
  ],
};
