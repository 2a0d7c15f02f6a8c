// The memory of a response can be used again. What, why and when it can go: docs/corrections/kafkajs-response-memory.md.

/** @type {import('./apply.mjs').Correction} */
export const responseMemory = {
  name: 'response-memory',
  edits: [
    {
      path: 'src/network/connection.js',
      from: `      this.chunks = [remainderBuffer]`,
      to: `      this.chunks = remainderBuffer.length === 0 ? [] : [remainderBuffer]`,
    },
    {
      path: 'src/consumer/consumerGroup.js',
      from: `            batch.offsetManager = offsetManager`,
      to: `            batch.offsetManager = offsetManager
            batch.response = responses
            if (!batch.isEmpty()) responses.batches = (responses.batches ?? 0) + 1`,
    },
  ],
};
