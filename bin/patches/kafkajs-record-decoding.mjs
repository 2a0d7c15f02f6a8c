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
      to: '',
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
      to: `      : String(firstTimestampNumber + timestampDelta)`,
    },
    {
      path: 'src/protocol/recordBatch/record/v0/decoder.js',
      from: `  const offset = Long.fromValue(firstOffset)
    .add(offsetDelta)
    .toString()`,
      to: `  const offset = String(firstOffsetNumber + offsetDelta)`,
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
};
