import type { EventV1 } from '#schemas/events/versions/v1.ts';

/** An event with its position in the source. */
export interface DetectedEvent {
  readonly event: EventV1;
  /** Sequence number of the event's first line in the kernel ring buffer; null if the source has none. */
  readonly seq: number | null;
}

/** A position in the order of events. It is open while more lines of its event may arrive. */
export interface Slot {
  readonly seq: number | null;
  open: boolean;
  /** Null after closing if the format cannot express the event. */
  event: EventV1 | null;
}

export interface SlotQueue {
  add(slot: Slot): void;
  /** Removes the closed slots at the front and appends their events to `into`, in the order of their first lines. */
  drain(into: DetectedEvent[]): void;
  /** Sequence number of the oldest open slot, from which a restart must read again. */
  firstOpenSeq(): number | null;
  readonly size: number;
}

/** Creates an empty queue. */
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
