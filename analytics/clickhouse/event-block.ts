import type { DecodedRows } from '../event-decoder/decoded-rows.ts';
import { eventColumns, trapKind } from '../formats/event-columns.ts';
import { createBlockBuilders } from './block-builder.ts';
import type { ChainBlock } from './chain-table.ts';
import type { EventBlockBuilder, EventRow, Lane } from './port.ts';
import { eventsTable } from './tables/events.ts';

/** Returns a function that opens blocks of accepted events. `receivedMs` (epoch) is stored in each row. */
export function createEventBlocks(): (lane: Lane, receivedMs: number) => EventBlockBuilder {
  const open = createBlockBuilders(eventsTable);
  return ({ topic, partition }, receivedMs) => {
    const builder = open({ topic, partition }, receivedMs);
    /** Decoded rows that follow each other from `first` in `rows` and are not in `builder` yet. */
    let rows: DecodedRows | undefined;
    let first = 0;
    let offsets: number[] = [];
    let raws: EventRow['raw'][] = [];
    let ingestIds: string[] = [];

    function copyRows(): void {
      const decoded = rows;
      if (decoded === undefined) return;
      rows = undefined;
      const fixed: Readonly<Record<string, readonly unknown[]>> = {
        topic: [topic],
        partition: [partition],
        received: [receivedMs],
        offset: offsets,
        ingest_id: ingestIds,
        raw: raws,
      };
      builder.addColumns(offsets, (name) => fixed[name] ?? decoded.columnOf(name, first, first + offsets.length));
      offsets = [];
      raws = [];
      ingestIds = [];
    }

    function append({ offset, accepted: { event, time }, raw, ingestId }: EventRow): void {
      copyRows();
      builder.add(offset, {
        topic,
        partition,
        offset,
        receivedMs,
        time,
        hostname: event.hostname ?? null,
        event: event.event,
        fields: eventColumns(event.event),
        trap: event.event.type === 'LinuxKernelTrap' ? trapKind(event.event) : null,
        ingestId,
        raw,
      });
    }

    function appendDecoded(
      decoded: DecodedRows,
      row: number,
      { offset, raw, ingestId }: Pick<EventRow, 'offset' | 'raw' | 'ingestId'>,
    ): void {
      if (rows !== decoded || row !== first + offsets.length) {
        copyRows();
        rows = decoded;
        first = row;
        decoded.onMove(copyRows);
      }
      offsets.push(offset);
      raws.push(raw);
      ingestIds.push(ingestId);
    }

    /** Returns the builder with all rows. */
    function complete(): typeof builder {
      copyRows();
      return builder;
    }

    const block: EventBlockBuilder & ChainBlock = {
      lane: builder.lane,
      receivedMs,
      get rows() {
        return builder.rows + offsets.length;
      },
      get bytes() {
        return complete().bytes;
      },
      get firstOffset() {
        return complete().firstOffset;
      },
      get lastOffset() {
        return complete().lastOffset;
      },
      append,
      appendDecoded,
      body: (landingDay) => complete().body(landingDay),
      release() {
        complete().release();
      },
    };
    return block;
  };
}
