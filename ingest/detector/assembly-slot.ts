import type { EventV1 } from '#schemas/events/versions/v1.ts';

/** An event with where it came from. */
export interface DetectedEvent {
  readonly event: EventV1;
  /** Sequence number, in the kernel's ring, of the event's first line; null when the source has none. */
  readonly seq: number | null;
}

/** A place in the order of events: open while lines that belong to the event may still come. */
export interface Slot {
  readonly seq: number | null;
  open: boolean;
  /** Null once closed: there was nothing the format could say. */
  event: EventV1 | null;
}

export interface SlotQueue {
  add(slot: Slot): void;
  /** Takes off the closed slots at the front: events leave in the order of their first lines. */
  drain(into: DetectedEvent[]): void;
  /** Sequence number of the oldest open slot: where a restart has to read again. */
  firstOpenSeq(): number | null;
  readonly size: number;
}

/** An empty queue. */
export function createSlotQueue(): SlotQueue {
  let slots: Slot[] = [];
  let head = 0;
  return {
    add(slot) {
      slots.push(slot);
    },
    drain(into) {
      for (; head < slots.length; head++) {
        const slot = slots[head] as Slot;
        if (slot.open) break;
        if (slot.event) into.push({ event: slot.event, seq: slot.seq });
      }
      if (head === slots.length) {
        slots = [];
        head = 0;
      } else if (head > 1024) {
        slots = slots.slice(head);
        head = 0;
      }
    },
    firstOpenSeq() {
      return slots[head]?.seq ?? null;
    },
    get size() {
      return slots.length - head;
    },
  };
}
