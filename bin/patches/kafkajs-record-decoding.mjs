// Records are decoded without BigInt. What, why and when it can go: docs/corrections/kafkajs-record-decoding.md.

/** @type {import('./apply.mjs').Correction} */
export const recordDecoding = {
  name: 'record-decoding',
  edits: [
    {
      path: 'src/consumer/batch.js',
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
    {
      path: 'src/protocol/decoder.js',
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
    {
      path: 'src/protocol/recordBatch/v0/decoder.js',
      from: `  const recordBuffer = decoder.readVarIntBytes()
  return RecordDecoder(new Decoder(recordBuffer), recordContext)`,
      to: `  const length = decoder.readVarInt()
  const end = decoder.offset + length
  const record = RecordDecoder(decoder, recordContext)
  decoder.offset = end
  return record`,
    },
    {
      path: 'src/protocol/recordBatch/v0/decoder.js',
      from: `  const records = await decodeRecords(codec, decoder, { ...recordContext, magicByte })`,
      to: `  const records = await decodeRecords(codec, decoder, {
    ...recordContext,
    magicByte,
    firstOffsetNumber: Number(firstOffset),
    firstTimestampNumber: Number(firstTimestamp),
  })`,
    },
    {
      path: 'src/protocol/recordBatch/record/v0/decoder.js',
      from: `const Long = require('../../../../utils/long')
`,
      to: `
const NO_HEADERS = Object.freeze(Object.create(null))

class Record {
  constructor(attributes, timestampGiven, offsetNumber, key, value, headers, batchContext) {
    this.attributes = attributes // Record level attributes are presently unused
    this.timestampGiven = timestampGiven
    this.offsetNumber = offsetNumber
    this.key = key
    this.value = value
    this.headers = headers
    this.batchContext = batchContext
  }

  get timestamp() {
    return String(this.timestampGiven)
  }

  get offset() {
    return String(this.offsetNumber)
  }

  get magicByte() {
    return this.batchContext.magicByte
  }

  get isControlRecord() {
    return this.batchContext.isControlBatch ?? false
  }
}
`,
    },
    {
      path: 'src/protocol/recordBatch/record/v0/decoder.js',
      from: `    firstOffset,
    firstTimestamp,
`,
      to: `    firstOffsetNumber,
    firstTimestampNumber,
`,
    },
    {
      path: 'src/protocol/recordBatch/record/v0/decoder.js',
      from: `decoder.readVarLong()`,
      to: `decoder.readVarLongAsNumber()`,
    },
    {
      path: 'src/protocol/recordBatch/record/v0/decoder.js',
      from: `      : Long.fromValue(firstTimestamp)
          .add(timestampDelta)
          .toString()`,
      to: `      : firstTimestampNumber + timestampDelta`,
    },
    {
      path: 'src/protocol/recordBatch/record/v0/decoder.js',
      from: `  const offset = Long.fromValue(firstOffset)
    .add(offsetDelta)
    .toString()`,
      to: `  const offset = firstOffsetNumber + offsetDelta`,
    },
    {
      path: 'src/protocol/recordBatch/record/v0/decoder.js',
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
      to: `  let left = decoder.readVarInt()
  const headers = left === 0 ? NO_HEADERS : Object.create(null)
  for (; left > 0; left--) {
    const { key, value } = HeaderDecoder(decoder)
    const before = headers[key]
    if (before === undefined) headers[key] = value
    else if (Array.isArray(before)) before.push(value)
    else headers[key] = [before, value]
  }`,
    },
    {
      path: 'src/protocol/recordBatch/record/v0/decoder.js',
      from: `    magicByte,
    isControlBatch = false,
    timestampType,`,
      to: `    timestampType,`,
    },
    {
      path: 'src/protocol/recordBatch/record/v0/decoder.js',
      from: `  return {
    magicByte,
    attributes, // Record level attributes are presently unused
    timestamp,
    offset,
    key,
    value,
    headers,
    isControlRecord: isControlBatch,
    batchContext,
  }`,
      to: `  return new Record(attributes, timestamp, offset, key, value, headers, batchContext)`,
    },
  ],
};
