import type { ProcessReader, ProcessSnapshot } from '../attribution/process-snapshot.ts';
import type { TraceCrash } from './trace-crash.ts';

/** `comm-pid [cpu] flags seconds.microseconds: `. A name may contain anything; the kernel prints the part after it. */
const HEADER = /^\s*(.*)-(\d{1,10})\s+(?:\([\s\d-]*\)\s+)?\[\d{3,}\]\s+(?:\S{4,8}\s+)?(\d+)\.(\d{6}): (.*)$/;
const DELIVER = /^signal_deliver: sig=(\d{1,3}) errno=-?\d+ code=(-?\d+) /;
const STACK = '<user stack trace>';
/** Anchored at the end, because a process name may contain a line break and text that looks like a frame. */
const FRAME = /^ =>\s+<([0-9a-f]{1,16})>\s*$/;
/** Maximum number of deliveries that wait for their stack. A kernel without user stacks never prints it. */
const MAX_WAITING = 256;

interface Waiting {
  readonly crash: Omit<TraceCrash, 'process' | 'mapping'> & { readonly stack: string[] };
  readonly process: ProcessSnapshot | null;
}

export interface TraceLines {
  /**
   * Parses one complete read of `trace_pipe`; the kernel never splits an entry. Returns the crashes that are complete.
   */
  push(text: string): TraceCrash[];
  /** Returns the crashes whose stack did not arrive. */
  flush(): TraceCrash[];
}

/**
 * Parses `signal_deliver` entries and the user stack that follows each, also if entries of several processors
 * interleave. Looks up the process as soon as its delivery is read.
 */
export function createTraceLines(processes: ProcessReader): TraceLines {
  const waiting = new Map<number, Waiting>();
  let current: Waiting | null = null;

  function finish(pid: number, into: TraceCrash[]): void {
    const found = waiting.get(pid);
    if (!found) return;
    waiting.delete(pid);
    const { crash, process } = found;
    const pointer = crash.stack[0];
    const mapping = process === null || pointer === undefined ? null : processes.mapping(process, pointer);
    into.push({ ...crash, process: process?.facts ?? null, mapping });
  }

  function readHeader(line: string, into: TraceCrash[]): void {
    const match = HEADER.exec(line);
    if (!match) return;
    const [, name = '', pidText = '', seconds, micros, body = ''] = match;
    const pid = Number(pidText);
    if (body === STACK) {
      current = waiting.get(pid) ?? null;
      return;
    }
    const deliver = DELIVER.exec(body);
    if (!deliver) return;
    finish(pid, into);
    if (waiting.size >= MAX_WAITING) finish(waiting.keys().next().value as number, into);
    const comm = name === '<...>' ? null : name;
    const process = processes.snapshot(pid, comm);
    const crash = {
      pid,
      comm,
      timeUs: Number(seconds) * 1e6 + Number(micros),
      signal: Number(deliver[1]),
      code: Number(deliver[2]),
      stack: [],
    };
    waiting.set(pid, { crash, process });
  }

  return {
    push(text) {
      const done: TraceCrash[] = [];
      for (const line of text.split('\n')) {
        const frame = FRAME.exec(line);
        if (frame) current?.crash.stack.push(frame[1] as string);
        else {
          if (current) finish(current.crash.pid, done);
          current = null;
          readHeader(line, done);
        }
      }
      return done;
    },
    flush() {
      const done: TraceCrash[] = [];
      for (const pid of [...waiting.keys()]) finish(pid, done);
      current = null;
      return done;
    },
  };
}
