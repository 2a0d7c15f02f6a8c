// Batches of a lost group generation are discarded. What, why and when it can go: docs/corrections/kafkajs-lost-generation.md.

/** @type {import('./apply.mjs').Correction} */
export const lostGeneration = {
  name: 'lost-generation',
  edits: [
    {
      path: 'src/consumer/consumerGroup.js',
      from: `      this.checkForStaleAssignment()

      let topicPartitions`,
      to: `      this.checkForStaleAssignment()

      const { offsetManager } = this
      let topicPartitions`,
    },
    {
      path: 'src/consumer/consumerGroup.js',
      from: `      await this.seekOffsets(topicPartitions)

      const committedOffsets`,
      to: `      await this.seekOffsets(topicPartitions)
      if (offsetManager !== this.offsetManager) return []

      const committedOffsets`,
    },
    {
      path: 'src/consumer/consumerGroup.js',
      from: `        rackId: this.rackId,
      })

      return responses`,
      to: `        rackId: this.rackId,
      })
      if (offsetManager !== this.offsetManager) return []

      return responses`,
    },
    {
      path: 'src/consumer/consumerGroup.js',
      from: `            return new Batch(topicName, fetchedOffset, partitionData)`,
      to: `            const batch = new Batch(topicName, fetchedOffset, partitionData)
            batch.offsetManager = offsetManager
            return batch`,
    },
    {
      path: 'src/consumer/runner.js',
      from: `          this.consumerGroup.resolveOffset({ topic, partition, offset: offsetToResolve })
        },`,
      to: `          if (batch.offsetManager !== this.consumerGroup.offsetManager) return
          this.consumerGroup.resolveOffset({ topic, partition, offset: offsetToResolve })
        },`,
    },
    {
      path: 'src/consumer/runner.js',
      from: `    /** @param {import('./batch')} batch */
    const onBatch`,
      to: `    if (batch.offsetManager !== this.consumerGroup.offsetManager) return

    /** @param {import('./batch')} batch */
    const onBatch`,
    },
  ],
};
