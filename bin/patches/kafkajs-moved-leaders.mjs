// Messages for a partition whose leader moves are sent to the new leader. What, why and when it can go: docs/corrections/kafkajs-moved-leaders.md.

/** @type {import('./apply.mjs').Correction} */
export const movedLeaders = {
  name: 'moved-leaders',
  edits: [
    {
      path: 'src/producer/sendMessages.js',
      from: `    /** @type {Map<import("../../types").Broker, any[]>} */
    const responsePerBroker = new Map()
`,
      to: `    const responses = []
    const stored = new Set()
`,
    },
    {
      path: 'src/producer/sendMessages.js',
      from: `    /** @param {Map<import("../../types").Broker, any[]>} responsePerBroker */
    const createProducerRequests = async responsePerBroker => {
`,
      to: `    const createProducerRequests = async () => {
      const brokers = new Set()
`,
    },
    {
      path: 'src/producer/sendMessages.js',
      from: `        const partitions = keys(messagesPerPartition)
`,
      to: `        const partitions = keys(messagesPerPartition).filter(
          partition => !stored.has(\`\${topic}/\${partition}\`)
        )
`,
    },
    {
      path: 'src/producer/sendMessages.js',
      from: `          if (!responsePerBroker.has(broker)) {
            responsePerBroker.set(broker, null)
          }
`,
      to: `          brokers.add(broker)
`,
    },
    {
      path: 'src/producer/sendMessages.js',
      from: `      const brokers = Array.from(responsePerBroker.keys())
      const brokersWithoutResponse = brokers.filter(broker => !responsePerBroker.get(broker))

      return brokersWithoutResponse.map(async broker => {
`,
      to: `      return Array.from(brokers).map(async broker => {
`,
    },
    {
      path: 'src/producer/sendMessages.js',
      from: `          responsePerBroker.set(broker, formattedResponse)
        } catch (e) {
          responsePerBroker.delete(broker)
          throw e
        } finally {
`,
      to: `          responses.push(...formattedResponse)
          topicData.forEach(({ topic, partitions }) => {
            partitions.forEach(({ partition }) => stored.add(\`\${topic}/\${partition}\`))
          })
        } finally {
`,
    },
    {
      path: 'src/producer/sendMessages.js',
      from: `        const requests = await createProducerRequests(responsePerBroker)
        await Promise.all(requests)
        return Array.from(responsePerBroker.values()).flat()
`,
      to: `        const results = await Promise.allSettled(await createProducerRequests())
        const failed = results.find(({ status }) => status === 'rejected')
        if (failed !== undefined) throw failed.reason
        return responses
`,
    },
  ],
};
