// Record batches of more than 100,000 records. What, why and when it can go: docs/corrections/kafkajs-large-batches.md.

/** @type {import('./apply.mjs').Correction} */
export const largeBatches = {
  name: 'large-batches',
  edits: [
    {
      path: 'src/protocol/requests/fetch/v4/decodeMessages.js',
      from: `        records.push(...recordBatch.records)`,
      to: `        for (const record of recordBatch.records) records.push(record)`,
    },
  ],
};
