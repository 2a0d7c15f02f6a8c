import { checksum } from './kafkajs-checksum.mjs';
import { idleTimer } from './kafkajs-idle-timer.mjs';
import { largeBatches } from './kafkajs-large-batches.mjs';
import { lostGeneration } from './kafkajs-lost-generation.mjs';
import { movedLeaders } from './kafkajs-moved-leaders.mjs';
import { pausedPartitions } from './kafkajs-paused-partitions.mjs';
import { recordDecoding } from './kafkajs-record-decoding.mjs';
import { refusedBatches } from './kafkajs-refused-batches.mjs';
import { responseMemory } from './kafkajs-response-memory.mjs';
import { staticMembership } from './kafkajs-static-membership.mjs';

/**
 * Corrections of kafkajs 2.2.4, the last release.
 * @type {import('./apply.mjs').PackagePatch}
 */
export const kafkajs = {
  name: 'kafkajs',
  version: '2.2.4',
  // Digests of the published files.
  sha256: {
    'src/network/connection.js': '2a993b2e74421ca6d846efd59e4ba74b11100dbe7d40d0f52ea3218e917aafdd',
    'src/network/requestQueue/index.js': 'b55986089c14f8f7bfc377922e2e65b3e4c1e7c7af2752d3b10a75dfe9e9260c',
    'src/consumer/consumerGroup.js': 'f3e461738585a8dc6574c647123a18afc732f81cdee4f9f7bb62e4aa1dffbfbb',
    'src/index.js': '38d0022e448f0aaa72ad2ed16fac346a3dd3a2d28b64ca5395cb33a26c8a82e9',
    'src/consumer/index.js': 'cdf5b3d7c67364b2b55a5c491225c08318054b515e079fa3aa7b7d9f4d8d19dd',
    'src/broker/index.js': '9cbea8898528c439c213080f99d86974460114f81b5034c49aeb593a0337ca90',
    'src/consumer/runner.js': 'fad3247df2e3ba483b94e014e5c5916fd72d7bdfc3b3dfccc5232b60da18306d',
    'src/consumer/batch.js': '04ee8657247441599f200af5871ce6b3c4463abe941b97405502f8f5f683face',
    'src/protocol/requests/fetch/v4/decodeMessages.js':
      'd9fede59bebf84ee15169d0ecc54df594a11722b6ba8d5db535ed1d8548d4fcc',
    'src/protocol/decoder.js': '83c43fac8d6b8ef2dcf0dfe8bc4494e84c2c94d2b59fbe41a670505a5fcba41b',
    'src/protocol/recordBatch/v0/decoder.js': '38cae7fc865f9bc51941353e1f6e9419227a8799ba4efb437199393a4eb94819',
    'src/protocol/recordBatch/record/v0/decoder.js': '86d740054c8be29b02873bf2871eb43ba5004af94324610541dbab2d9fabcc65',
    'src/protocol/recordBatch/crc32C/crc32C.js': '1c09c7a44e7a207f2dabb920e6bf9f6b1b3fd9cc023e959a9e91ba83e5b6f61a',
    'src/producer/sendMessages.js': '8a120e6993955e040a13014cccebd79b8d41e7355d6eda1065fa83fea2fbbcdb',
  },
  corrections: [
    idleTimer,
    lostGeneration,
    staticMembership,
    pausedPartitions,
    largeBatches,
    recordDecoding,
    responseMemory,
    checksum,
    movedLeaders,
    refusedBatches,
  ],
};
