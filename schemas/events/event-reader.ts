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
import { addShape, emptyTree } from './shapes/shape-tree.ts';

/** Reads one event from the bytes of its JSON text. Never throws on any bytes, and keeps none of them. */
export interface EventReader {
  (payload: Buffer): ReadResult;
  /**
   * Reads the text between two places of a larger piece of memory, which costs no view of it. Undefined when the text has no shape that is known; it
   * may be an event all the same.
   */
  known(memory: Buffer, from: number, to: number): AcceptedEvent | undefined;
  /** Reads a text that has no known shape: what `known` did not read is not compared with the shapes again. */
  unknown(payload: Buffer): ReadResult;
}

export interface EventReaderOptions extends ReadEventOptions {
  /** Of so many texts of no known shape one is looked at closely, which costs several times what reading it did. */
  readonly learnEvery?: number;
  readonly maxShapes?: number;
  /** With no room left, after so many texts of no known shape, all shapes are forgotten: what comes now is of others. */
  readonly forgetAfter?: number;
}

const REPLACEMENT = '\ufffd';

/**
 * A reader that answers exactly as `readEvent` does of the same text, and remembers the shapes of what it accepted: a detector writes millions of events
 * that differ in names, numbers and times only. Of a text that has a known shape only these are read, in two fifths of the time, and nothing is parsed.
 */
export function createEventReader(options: EventReaderOptions = {}): EventReader {
  const { learnEvery = 16, maxShapes = 256, forgetAfter = 100_000 } = options;
  const matching = createMatching(createRecentTexts());
  let shapes = emptyTree();
  let shapeCount = 0;
  let unknownCount = 0;

  /** Only of events with the internal shape: a shape gives the event as the text has it, without `upcast`. */
  function learn(text: string, version: CompiledVersion, event: object): void {
    if (!version.isInternal) return;
    unknownCount += 1;
    if (shapeCount >= maxShapes) {
      if (unknownCount < forgetAfter) return;
      shapes = emptyTree();
      shapeCount = 0;
    }
    if (unknownCount % learnEvery !== 0) return;
    const shape = describeShape(text, event, version.schema);
    if (shape === undefined || !addShape(shapes, shape)) return;
    shapeCount += 1;
    unknownCount = 0;
  }

  function known(memory: Buffer, from: number, to: number): AcceptedEvent | undefined {
    const shape = matchShape(shapes, matching, memory, from, to);
    if (shape === undefined || matching.time === undefined) return undefined;
    return { ok: true, event: makeObject(shape.root, matching.values) as InternalEvent, time: matching.time };
  }

  function unknown(payload: Buffer): ReadResult {
    const text = payload.toString('utf8');
    // Decoding puts U+FFFD in the place of bytes that are not UTF-8; only then it has to be asked whether the text itself has one.
    if (text.includes(REPLACEMENT) && !isUtf8(payload)) return reject('invalid_utf8');
    return readVersioned(text, options, (version, event) => learn(text, version, event));
  }

  const read = (payload: Buffer): ReadResult => known(payload, 0, payload.length) ?? unknown(payload);
  return Object.assign(read, { known, unknown });
}
