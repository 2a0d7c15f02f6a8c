// Static group membership (group.instance.id). What, why and when it can go: docs/corrections/kafkajs-static-membership.md.

/** @type {import('./apply.mjs').Correction} */
export const staticMembership = {
  name: 'static-membership',
  edits: [
    {
      path: 'src/consumer/consumerGroup.js',
      from: `    cluster,
    groupId,
    topics,
`,
      to: `    cluster,
    groupId,
    groupInstanceId,
    topics,
`,
    },
    {
      path: 'src/consumer/consumerGroup.js',
      from: `    this.groupId = groupId
`,
      to: `    this.groupId = groupId
    this.groupInstanceId = groupInstanceId
`,
    },
    {
      path: 'src/consumer/consumerGroup.js',
      from: `          memberId,
          groupGenerationId: generationId,
        }

        await this.coordinator.heartbeat`,
      to: `          memberId,
          groupInstanceId: this.groupInstanceId,
          groupGenerationId: generationId,
        }

        await this.coordinator.heartbeat`,
    },
    {
      path: 'src/consumer/consumerGroup.js',
      from: `      memberId: this.memberId || '',
`,
      to: `      memberId: this.memberId || '',
      groupInstanceId: this.groupInstanceId,
`,
    },
    {
      path: 'src/index.js',
      from: `  consumer({
    groupId,
`,
      to: `  consumer({
    groupId,
    groupInstanceId,
`,
    },
    {
      path: 'src/index.js',
      from: `    return createConsumer({
      retry: { ...this[PRIVATE.CLUSTER_RETRY], ...retry },`,
      to: `    return createConsumer({
      groupInstanceId,
      retry: { ...this[PRIVATE.CLUSTER_RETRY], ...retry },`,
    },
    {
      path: 'src/consumer/index.js',
      from: `module.exports = ({
  cluster,
  groupId,
`,
      to: `module.exports = ({
  cluster,
  groupId,
  groupInstanceId,
`,
    },
    {
      path: 'src/consumer/index.js',
      from: `        cluster,
        groupId,
        assigners,
`,
      to: `        cluster,
        groupId,
        groupInstanceId,
        assigners,
`,
    },
    {
      path: 'src/broker/index.js',
      from: `  async heartbeat({ groupId, groupGenerationId, memberId }) {`,
      to: `  async heartbeat({ groupId, groupGenerationId, memberId, groupInstanceId = null }) {`,
    },
    {
      path: 'src/broker/index.js',
      from: `    return await this[PRIVATE.SEND_REQUEST](heartbeat({ groupId, groupGenerationId, memberId }))`,
      to: `    return await this[PRIVATE.SEND_REQUEST](
      heartbeat({ groupId, groupGenerationId, memberId, groupInstanceId })
    )`,
    },
    {
      path: 'src/broker/index.js',
      from: `    memberId = '',
    protocolType = 'consumer',`,
      to: `    memberId = '',
    groupInstanceId,
    protocolType = 'consumer',`,
    },
    {
      path: 'src/broker/index.js',
      from: `          memberId: assignedMemberId,
`,
      to: `          memberId: assignedMemberId,
          groupInstanceId,
`,
    },
  ],
};
