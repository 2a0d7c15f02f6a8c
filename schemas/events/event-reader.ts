import { isUtf8 } from 'node:buffer';
import { createRecentTexts } from '../json/recent-texts.ts';
import type { AcceptedEvent, ReadResult } from './accepted.ts';
import type { CompiledVersion } from './compile-version.ts';
import type { InternalEvent } from './event.ts';
import { type ReadEventOptions, readVersioned } from './read-event.ts';
import { reject } from './reject.ts';
import { describeShape } from './shapes/describe-shape.ts';
import { createMatching, matchShape } from './shapes/match-shape.ts';
import { makeObject } from './shapes/shape.ts';
import { addShape, emptyTree, type ShapeTree } from './shapes/shape-tree.ts';

/** The shapes that a reader knows. */
export interface KnownShapes {
  readonly tree: ShapeTree;
  /** Changes whenever the tree changes. */
  readonly revision: number;
}

/** Reads one event from the bytes of its JSON text. Never throws, and keeps no reference to the bytes. */
export interface EventReader {
  (payload: Buffer): ReadResult;
  /**
   * Reads the event in bytes `from` to `to` of `memory`, without allocating a view. Returns undefined if no known shape
   * matches. The bytes may still be a valid event.
   */
  known(memory: Buffer, from: number, to: number): AcceptedEvent | undefined;
  /** Reads an event without comparing it with the known shapes. For input that `known` returned undefined for. */
  unknown(payload: Buffer): ReadResult;
  /** Returns the shapes that `known` compares with. Another reader of the same shapes can use them too. */
  shapes(): KnownShapes;
}

export interface EventReaderOptions extends ReadEventOptions {
  /**
   * The reader analyses the shape of every Nth text that matches no known shape. An analysis costs several times as
   * much as parsing.
   */
  readonly learnEvery?: number;
  readonly maxShapes?: number;
  /**
   * When `maxShapes` is reached, the reader drops all shapes after this many texts without a match: the events have
   * changed.
   */
  readonly forgetAfter?: number;
}

const REPLACEMENT = '\ufffd';

/**
 * Creates a reader that returns the same results as `readEvent`, and caches the shapes of accepted events. The events
 * of a detector differ only in names, numbers and times. For a known shape, only these are parsed, which takes two
 * fifths of the time of a full parse.
 */
export function createEventReader(options: EventReaderOptions = {}): EventReader {
  const { learnEvery = 16, maxShapes = 256, forgetAfter = 100_000 } = options;
  const matching = createMatching(createRecentTexts());
  let shapes = emptyTree();
  let shapeCount = 0;
  let revision = 0;
  let unknownCount = 0;

  /**
   * Learns only shapes of versions with the internal shape, because an event that is built from a shape is not passed
   * to `upcast`.
   */
  function learn(text: string, version: CompiledVersion, event: object): void {
    if (!version.isInternal) return;
    unknownCount += 1;
    if (shapeCount >= maxShapes) {
      if (unknownCount < forgetAfter) return;
      shapes = emptyTree();
      shapeCount = 0;
      revision += 1;
    }
    if (unknownCount % learnEvery !== 0) return;
    const shape = describeShape(text, event, version.schema);
    if (shape === undefined || !addShape(shapes, shape)) return;
    shapeCount += 1;
    revision += 1;
    unknownCount = 0;
  }

  function known(memory: Buffer, from: number, to: number): AcceptedEvent | undefined {
    const shape = matchShape(shapes, matching, memory, from, to);
    if (shape === undefined || matching.time === undefined) return undefined;
    return { ok: true, event: makeObject(shape.root, matching.values) as InternalEvent, time: matching.time };
  }

  function unknown(payload: Buffer): ReadResult {
    const text = payload.toString('utf8');
    // Decoding replaces invalid UTF-8 by U+FFFD. The bytes are validated only if the text contains U+FFFD.
    if (text.includes(REPLACEMENT) && !isUtf8(payload)) return reject('invalid_utf8');
    return readVersioned(text, options, (version, event) => learn(text, version, event));
  }

  const read = (payload: Buffer): ReadResult => known(payload, 0, payload.length) ?? unknown(payload);
  return Object.assign(read, { known, unknown, shapes: () => ({ tree: shapes, revision }) });
}
