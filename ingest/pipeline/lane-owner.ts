/** Calls from a lane to its owner. */
export interface LaneOwner {
  /** Everything below `nextOffset` is durable. A failure is harmless: records that come again are recognised as stored. */
  commit(nextOffset: number): Promise<void>;
  /** The lane takes more again. */
  hasRoom(): void;
  /** More is waiting at the source than a batch takes; stays true until nothing is waiting. */
  isBehind(): boolean;
  /** True while the owner reads records for this lane. Otherwise a batch is sealed without linger. */
  isFed(): boolean;
  /** An unknown error: the process must end without an acknowledgement. */
  failed(error: unknown): void;
}
