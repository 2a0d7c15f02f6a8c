import type {
  findCoordinatorV6,
  joinGroupV9,
  listOffsetsV7,
  metadataV12,
  offsetFetchV9,
  syncGroupV5,
} from '@platformatic/kafka';

/** Answers of brokers, by request. The library has a type for each version; those of the older ones lack fields that are not read here. */
export type FindCoordinatorResponse = ReturnType<typeof findCoordinatorV6.parseResponse>;
export type JoinGroupResponse = ReturnType<typeof joinGroupV9.parseResponse>;
export type ListOffsetsResponse = ReturnType<typeof listOffsetsV7.parseResponse>;
export type MetadataResponse = ReturnType<typeof metadataV12.parseResponse>;
export type OffsetFetchResponse = ReturnType<typeof offsetFetchV9.parseResponse>;
export type SyncGroupResponse = ReturnType<typeof syncGroupV5.parseResponse>;
