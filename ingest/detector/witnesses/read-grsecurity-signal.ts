import type { Witness } from './witness.ts';

/**
 * `gr_log_signal` of grsecurity: `grsec: Segmentation fault occurred at <address> in <path>[<comm>:<pid>] uid/euid:…
 * gid/egid:…, parent <path>[<comm>:<pid>] uid/euid:… gid/egid:…`. Processes control the names in it, so a line in which
 * these parts occur more often produces no event.
 */
const SIGNAL =
  /^grsec: (?:[\s\S]{0,1200}?[:)] )?(Segmentation fault|Illegal instruction|Abort|(?:Invalid alignment\/)?Bus error) occurred at +(?:0x)?([0-9a-f]{1,16}|\((?:null|nil)\)) in ([\s\S]*)$/;
const PROCESS =
  /([\s\S]{0,4096}?)\[([\s\S]{0,16}):(\d{1,10})\] uid\/euid:(\d{1,10})\/\d{1,10} gid\/egid:\d{1,10}\/\d{1,10}/g;

const SIGNALS: Readonly<Record<string, number>> = { Segmentation: 11, Illegal: 4, Abort: 6, Invalid: 7, Bus: 7 };

/** Reads grsecurity's report of a fatal signal; null for other text. */
export function readGrsecuritySignal(text: string): Witness | null {
  const match = text.startsWith('grsec: ') ? SIGNAL.exec(text) : null;
  if (!match) return null;
  const [own, parent, more] = [...(match[3] as string).matchAll(PROCESS)];
  if (own === undefined || more !== undefined) return null;
  const address = match[2] as string;
  const signal = SIGNALS[(match[1] as string).split(/[ /]/, 1)[0] as string] as number;
  return {
    kind: 'grsecurity',
    signal,
    pid: Number(own[3]),
    comm: own[2] as string,
    // For a segfault, the accessed address is in CR2.
    ...(signal === 11
      ? { registers: { CR2: address.startsWith('(') ? '0'.repeat(16) : address.padStart(16, '0') } }
      : {}),
    process: {
      ...absolute(own[1] as string),
      uid: Number(own[4]),
      ...(parent === undefined ? {} : { parent: parentOf(parent) }),
    },
  };
}

function parentOf([, path, name, pid]: RegExpExecArray) {
  return { pid: Number(pid), name: name as string, ...absolute((path as string).replace(/^, parent /, '')) };
}

function absolute(path: string): { readonly executable?: string } {
  return path.startsWith('/') ? { executable: path } : {};
}
