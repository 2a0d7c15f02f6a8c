// Short polls while a partition is paused. What, why and when it can go: docs/corrections/kafkajs-paused-partitions.md.

/** @type {import('./apply.mjs').Correction} */
export const pausedPartitions = {
  name: 'paused-partitions',
  edits: [
    {
      path: 'src/consumer/consumerGroup.js',
      from: `        await sleep(this.maxWaitTime)
        return []`,
      to: `        await sleep(Math.min(this.maxWaitTime, 25))
        return []`,
    },
    {
      path: 'src/consumer/consumerGroup.js',
      from: `        maxWaitTime: this.maxWaitTime,`,
      to: `        maxWaitTime:
          this.subscriptionState.paused().length > 0
            ? Math.min(this.maxWaitTime, 25)
            : this.maxWaitTime,`,
    },
  ],
};
