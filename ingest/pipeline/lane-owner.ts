/** Callbacks from a lane to its owner. */
export interface LaneOwner {
  /**
   * Called when all records below `nextOffset` are durable. A failure is harmless: records that are delivered again are
   * recognised as stored.
   */
  commit(nextOffset: number): Promise<void>;
  /** The lane accepts records again. */
  hasRoom(): void;
  /** Returns true if the source has more unread records than one batch holds. Stays true until the source has none. */
  isBehind(): boolean;
  /** Returns true while the owner reads records for this lane. Otherwise a batch is sealed without linger. */
  isFed(): boolean;
  /** Called on an unknown error: the process must end without acknowledging records. */
  failed(error: unknown): void;
}
