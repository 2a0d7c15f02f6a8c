// Corrections of kafkajs 2.2.4, the last release. `why` says what goes wrong without each.

const STATIC =
  'static membership: the protocol part is there, but nothing hands the name of the instance to it. Without it a consumer that was killed and started again waits for the session time-out of its predecessor';

/** @type {import('./apply.mjs').PackagePatch} */
export const kafkajs = {
  name: 'kafkajs',
  version: '2.2.4',
  files: [
    {
      path: 'src/network/requestQueue/index.js',
      sha256: 'b55986089c14f8f7bfc377922e2e65b3e4c1e7c7af2752d3b10a75dfe9e9260c',
      why: 'with nothing pending and no throttling it arms a timer with a negative delay, for ever: 5 % CPU when idle. And requests that have 30 s are looked at ten times a second on every connection',
      edits: [
        { from: `Math.min(this.requestTimeout, 100))`, to: `Math.min(this.requestTimeout, 500))` },
        {
          from: `    let scheduleAt = this.throttledUntil - Date.now()
    if (!this.throttleCheckTimeoutId) {`,
          to: `    let scheduleAt = this.throttledUntil - Date.now()
    if (this.pending.length === 0 && scheduleAt <= 0) return
    if (!this.throttleCheckTimeoutId) {`,
        },
      ],
    },
    {
      path: 'src/consumer/consumerGroup.js',
      sha256: 'f3e461738585a8dc6574c647123a18afc732f81cdee4f9f7bb62e4aa1dffbfbb',
      why: 'with several brokers one fetcher can re-join the group while another waits for records: what it then gets was read at the positions of the lost generation, and following it would skip records. Also: while partitions are paused, one that is resumed is noticed only when the wait for the others is over (maxWaitTime)',
      edits: [
        {
          from: `    cluster,\n    groupId,\n    topics,\n`,
          to: `    cluster,\n    groupId,\n    groupInstanceId,\n    topics,\n`,
        },
        {
          from: `    this.groupId = groupId\n`,
          to: `    this.groupId = groupId\n    this.groupInstanceId = groupInstanceId\n`,
        },
        {
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
          from: `      memberId: this.memberId || '',
`,
          to: `      memberId: this.memberId || '',
      groupInstanceId: this.groupInstanceId,
`,
        },
        {
          from: `      this.checkForStaleAssignment()

      let topicPartitions`,
          to: `      this.checkForStaleAssignment()

      const { offsetManager } = this
      let topicPartitions`,
        },
        {
          from: `      await this.seekOffsets(topicPartitions)

      const committedOffsets`,
          to: `      await this.seekOffsets(topicPartitions)
      if (offsetManager !== this.offsetManager) return []

      const committedOffsets`,
        },
        {
          from: `        await sleep(this.maxWaitTime)
        return []`,
          to: `        await sleep(Math.min(this.maxWaitTime, 25))
        return []`,
        },
        {
          from: `        maxWaitTime: this.maxWaitTime,`,
          to: `        maxWaitTime:
          this.subscriptionState.paused().length > 0
            ? Math.min(this.maxWaitTime, 25)
            : this.maxWaitTime,`,
        },
        {
          from: `        rackId: this.rackId,
      })

      return responses`,
          to: `        rackId: this.rackId,
      })
      if (offsetManager !== this.offsetManager) return []

      return responses`,
        },
        {
          from: `            return new Batch(topicName, fetchedOffset, partitionData)`,
          to: `            const batch = new Batch(topicName, fetchedOffset, partitionData)
            batch.offsetManager = offsetManager
            return batch`,
        },
      ],
    },
    {
      path: 'src/index.js',
      sha256: '38d0022e448f0aaa72ad2ed16fac346a3dd3a2d28b64ca5395cb33a26c8a82e9',
      why: STATIC,
      edits: [
        { from: `  consumer({\n    groupId,\n`, to: `  consumer({\n    groupId,\n    groupInstanceId,\n` },
        {
          from: `    return createConsumer({
      retry: { ...this[PRIVATE.CLUSTER_RETRY], ...retry },`,
          to: `    return createConsumer({
      groupInstanceId,
      retry: { ...this[PRIVATE.CLUSTER_RETRY], ...retry },`,
        },
      ],
    },
    {
      path: 'src/consumer/index.js',
      sha256: 'cdf5b3d7c67364b2b55a5c491225c08318054b515e079fa3aa7b7d9f4d8d19dd',
      why: STATIC,
      edits: [
        {
          from: `module.exports = ({\n  cluster,\n  groupId,\n`,
          to: `module.exports = ({\n  cluster,\n  groupId,\n  groupInstanceId,\n`,
        },
        {
          from: `        cluster,\n        groupId,\n        assigners,\n`,
          to: `        cluster,\n        groupId,\n        groupInstanceId,\n        assigners,\n`,
        },
      ],
    },
    {
      path: 'src/broker/index.js',
      sha256: '9cbea8898528c439c213080f99d86974460114f81b5034c49aeb593a0337ca90',
      why: STATIC,
      edits: [
        {
          from: `  async heartbeat({ groupId, groupGenerationId, memberId }) {`,
          to: `  async heartbeat({ groupId, groupGenerationId, memberId, groupInstanceId = null }) {`,
        },
        {
          from: `    return await this[PRIVATE.SEND_REQUEST](heartbeat({ groupId, groupGenerationId, memberId }))`,
          to: `    return await this[PRIVATE.SEND_REQUEST](
      heartbeat({ groupId, groupGenerationId, memberId, groupInstanceId })
    )`,
        },
        {
          from: `    memberId = '',
    protocolType = 'consumer',`,
          to: `    memberId = '',
    groupInstanceId,
    protocolType = 'consumer',`,
        },
        {
          from: `          memberId: assignedMemberId,
`,
          to: `          memberId: assignedMemberId,
          groupInstanceId,
`,
        },
      ],
    },
    {
      path: 'src/consumer/runner.js',
      sha256: 'fad3247df2e3ba483b94e014e5c5916fd72d7bdfc3b3dfccc5232b60da18306d',
      why: 'a batch of a lost generation must neither be handed on nor move the positions of the new one',
      edits: [
        {
          from: `          this.consumerGroup.resolveOffset({ topic, partition, offset: offsetToResolve })
        },`,
          to: `          if (batch.offsetManager !== this.consumerGroup.offsetManager) return
          this.consumerGroup.resolveOffset({ topic, partition, offset: offsetToResolve })
        },`,
        },
        {
          from: `    /** @param {import('./batch')} batch */
    const onBatch`,
          to: `    if (batch.offsetManager !== this.consumerGroup.offsetManager) return

    /** @param {import('./batch')} batch */
    const onBatch`,
        },
      ],
    },
    {
      path: 'src/consumer/batch.js',
      sha256: '04ee8657247441599f200af5871ce6b3c4463abe941b97405502f8f5f683face',
      why: 'two BigInts for every record, to find the leading ones below the fetched offset; records of a partition are in order',
      edits: [
        {
          from: `    this.messagesWithinOffset = this.rawMessages.filter(message =>
      Long.fromValue(message.offset).gte(longFetchedOffset)
    )`,
          to: `    let first = 0
    while (
      first < messages.length &&
      Long.fromValue(messages[first].offset).lessThan(longFetchedOffset)
    ) {
      first++
    }
    this.messagesWithinOffset = first === 0 ? messages : messages.slice(first)`,
        },
      ],
    },
    {
      path: 'src/protocol/requests/fetch/v4/decodeMessages.js',
      sha256: 'd9fede59bebf84ee15169d0ecc54df594a11722b6ba8d5db535ed1d8548d4fcc',
      why: 'a record batch of more than about 100,000 records overflows the stack: an argument list is no place for data',
      edits: [
        {
          from: `        records.push(...recordBatch.records)`,
          to: `        for (const record of recordBatch.records) records.push(record)`,
        },
      ],
    },
    {
      path: 'src/protocol/decoder.js',
      sha256: '83c43fac8d6b8ef2dcf0dfe8bc4494e84c2c94d2b59fbe41a670505a5fcba41b',
      why: 'adds a reader of variable-length integers that needs no BigInt; exact up to 2^52, far above any difference of timestamps',
      edits: [
        {
          from: `  slice(size) {`,
          to: `  readVarLongAsNumber() {
    let scale = 1
    let zigZag = 0
    let currentByte
    do {
      currentByte = this.buffer[this.offset++]
      zigZag += (currentByte & OTHER_BITS) * scale
      scale *= 128
    } while (currentByte >= MOST_SIGNIFICANT_BIT)
    return zigZag % 2 === 0 ? zigZag / 2 : -(zigZag + 1) / 2
  }

  slice(size) {`,
        },
      ],
    },
    {
      path: 'src/protocol/recordBatch/v0/decoder.js',
      sha256: '38cae7fc865f9bc51941353e1f6e9419227a8799ba4efb437199393a4eb94819',
      why: 'a slice and a decoder for every record, where moving on to its end does the same; numbers of the batch are parsed once',
      edits: [
        {
          from: `  const recordBuffer = decoder.readVarIntBytes()
  return RecordDecoder(new Decoder(recordBuffer), recordContext)`,
          to: `  const length = decoder.readVarInt()
  const end = decoder.offset + length
  const record = RecordDecoder(decoder, recordContext)
  decoder.offset = end
  return record`,
        },
        {
          from: `  const records = await decodeRecords(codec, decoder, { ...recordContext, magicByte })`,
          to: `  const records = await decodeRecords(codec, decoder, {
    ...recordContext,
    magicByte,
    firstOffsetNumber: Number(firstOffset),
    firstTimestampNumber: Number(firstTimestamp),
  })`,
        },
      ],
    },
    {
      path: 'src/protocol/recordBatch/record/v0/decoder.js',
      sha256: '86d740054c8be29b02873bf2871eb43ba5004af94324610541dbab2d9fabcc65',
      why: 'six BigInts for every record; a copy of all headers for every header; a header named like a member of Object.prototype gets that member as its first value',
      edits: [
        {
          from: `const Long = require('../../../../utils/long')
`,
          to: '',
        },
        { from: `    firstOffset,\n    firstTimestamp,\n`, to: `    firstOffsetNumber,\n    firstTimestampNumber,\n` },
        { from: `decoder.readVarLong()`, to: `decoder.readVarLongAsNumber()` },
        {
          from: `      : Long.fromValue(firstTimestamp)
          .add(timestampDelta)
          .toString()`,
          to: `      : String(firstTimestampNumber + timestampDelta)`,
        },
        {
          from: `  const offset = Long.fromValue(firstOffset)
    .add(offsetDelta)
    .toString()`,
          to: `  const offset = String(firstOffsetNumber + offsetDelta)`,
        },
        {
          from: `  const headers = decoder.readVarIntArray(HeaderDecoder).reduce(
    (obj, { key, value }) => ({
      ...obj,
      [key]:
        obj[key] === undefined
          ? value
          : Array.isArray(obj[key])
          ? obj[key].concat([value])
          : [obj[key], value],
    }),
    {}
  )`,
          to: `  const headers = Object.create(null)
  for (let left = decoder.readVarInt(); left > 0; left--) {
    const { key, value } = HeaderDecoder(decoder)
    const before = headers[key]
    if (before === undefined) headers[key] = value
    else if (Array.isArray(before)) before.push(value)
    else headers[key] = [before, value]
  }`,
        },
      ],
    },
    {
      path: 'src/protocol/recordBatch/crc32C/crc32C.js',
      sha256: '1c09c7a44e7a207f2dabb920e6bf9f6b1b3fd9cc023e959a9e91ba83e5b6f61a',
      why: 'the checksum goes byte by byte and costs more than everything else in sending; eight bytes a step by derived tables (slicing-by-8)',
      edits: [
        {
          from: `  let crc = 0 ^ -1
  for (let i = 0; i < buffer.length; i++) {`,
          to: `  let crc = 0 ^ -1
  let i = 0
  const tables = (slices = slices || deriveSlices())
  const [T1, T2, T3, T4, T5, T6, T7] = tables
  for (const end = buffer.length - 7; i < end; i += 8) {
    crc ^= buffer[i] | (buffer[i + 1] << 8) | (buffer[i + 2] << 16) | (buffer[i + 3] << 24)
    crc =
      T7[crc & 0xff] ^
      T6[(crc >>> 8) & 0xff] ^
      T5[(crc >>> 16) & 0xff] ^
      T4[crc >>> 24] ^
      T3[buffer[i + 4]] ^
      T2[buffer[i + 5]] ^
      T1[buffer[i + 6]] ^
      T[buffer[i + 7]]
  }
  for (; i < buffer.length; i++) {`,
        },
        {
          from: `module.exports = crc32C
`,
          to: `module.exports = crc32C

// Table n gives the effect of a byte that n more zero bytes follow.
let slices = null
const deriveSlices = () => {
  const derived = []
  let previous = T
  for (let n = 1; n < 8; n++) {
    const before = previous
    previous = before.map(value => T[value & 0xff] ^ (value >>> 8))
    derived.push(previous)
  }
  return derived
}
`,
        },
      ],
    },
  ],
};
