// CRC-32C of eight bytes in one step. What, why and when it can go: docs/corrections/kafkajs-checksum.md.

/** @type {import('./apply.mjs').Correction} */
export const checksum = {
  name: 'checksum',
  edits: [
    {
      path: 'src/protocol/recordBatch/crc32C/crc32C.js',
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
      path: 'src/protocol/recordBatch/crc32C/crc32C.js',
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
};
