import { describe, expect, it } from 'vitest';
import { cefHeader, cefValue } from '#analytics/formats/cef-escape.ts';
import { FORMATS } from '#analytics/formats/formats.ts';
import { detection, events, HOSTILE, record, tampering } from './samples.ts';

const event = FORMATS.cef.event ?? (() => '');
const found = FORMATS.cef.detection ?? (() => '');

/**
 * Parses a line as the CEF specification says: unescaped pipes separate the header fields, an unescaped `=` ends a key.
 */
function parse(line: string): { header: string[]; extensions: Record<string, string> } {
  const header: string[] = [];
  let rest = line;
  for (let field = 0; field < 7; field++) {
    const end = /(?<!\\)(?:\\\\)*\|/.exec(rest);
    if (!end) throw new Error(`header field ${field} does not end`);
    header.push(rest.slice(0, end.index + end[0].length - 1));
    rest = rest.slice(end.index + end[0].length);
  }
  const extensions: Record<string, string> = {};
  for (const pair of rest.split(/ (?=[A-Za-z0-9]+(?<!\\)=)/)) {
    const at = pair.indexOf('=');
    extensions[pair.slice(0, at)] = pair.slice(at + 1).replace(/\\([\\=n])/g, (_, c: string) => (c === 'n' ? '\n' : c));
  }
  return { header, extensions };
}

describe('CEF of events', () => {
  it.each([
    [
      'kernelTrap',
      'LinuxKernelTrap|Linux Kernel Trap|10|PolyverseZerotectInstructionPointerValue=18446744073709551614 PolyverseZerotectStackPointerValue=140726083244224 cn2=94677333766144 cn2Label=vmastart cn3=4096 cn3Label=vmasize cs2=Read cs2Label=access_type cs3=User cs3Label=access_mode cs4=false cs4Label=use_of_reserved_bit cs5=false cs5Label=instruction_fetch cs6=false cs6Label=protection_keys_block_access dhost=web-1 dpid=36275 dproc=a.out flexString2=Segfault at location 18446744073709551615 flexString2Label=signal fname=a.out reason=NoPageFound rt=157680000123',
    ],
    [
      'bareTrap',
      'LinuxKernelTrap|Linux Kernel Trap|10|PolyverseZerotectInstructionPointerValue=0 PolyverseZerotectStackPointerValue=140726083244224 cs2=Read cs2Label=access_type cs3=User cs3Label=access_mode cs4=false cs4Label=use_of_reserved_bit cs5=false cs5Label=instruction_fetch cs6=false cs6Label=protection_keys_block_access dhost=web-1 dpid=36275 dproc=a.out flexString2=divide error flexString2Label=signal reason=NoPageFound rt=157680000123',
    ],
    [
      'fatalSignal',
      'LinuxFatalSignal|Linux Fatal Signal|10|dhost=web-1 flexString2=SIGIOT flexString2Label=signal rt=157680000123',
    ],
    [
      'suppressed',
      'LinuxSuppressedCallback|Linux kernel suppressed repetitive log entries|3|cnt=9 dhost=web-1 flexString1=show_signal_msg flexString1Label=function_name rt=157680000123',
    ],
    [
      'configMismatch',
      'ConfigMismatch|Configuration mismatched what the detector expected|4|PolyverseZerotectExpectedValue=1 PolyverseZerotectKey=kernel.print-fatal-signals PolyverseZerotectObservedValue=0 dhost=web-1 rt=157680000123',
    ],
    [
      'registerProbe',
      'RegisterProbe|Probe using Register Increment|10|cn1=3 cn1Label=justifying_event_count cs1=RIP cs1Label=register dhost=web-1 dproc=nginx msg=Instruction pointer moves rt=157680000123',
    ],
  ] as const)('maps %s', (name, line) => {
    expect(event(record(events[name]))).toBe(`CEF:0|Trapline|Trapline|1.0|${line}`);
  });

  it('never contains a stack dump', () => {
    expect(event(record(events.fatalSignal))).not.toMatch(/SECRET-DUMP-VALUE|RDI|RIP|edge-gw/);
  });

  it('omits an unknown host', () => {
    expect(event(record(events.suppressed, { hostname: null }))).not.toContain('dhost');
  });

  it('is one line from which any values can be parsed back', () => {
    for (const name of HOSTILE) {
      const line = event(record({ ...events.kernelTrap, procname: name, file: name }, { hostname: name }));
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      const { header, extensions } = parse(line);
      expect(header).toEqual(['CEF:0', 'Trapline', 'Trapline', '1.0', 'LinuxKernelTrap', 'Linux Kernel Trap', '10']);
      const seen = name
        .toWellFormed()
        .replace(/\r\n|[\n\r\u0085\u2028\u2029]/g, '\n')
        .replace(/(?!\n)\p{Cc}/gu, '\ufffd');
      expect(extensions).toMatchObject({ dproc: seen, fname: seen, dhost: seen, rt: '157680000123' });
    }
  });
});

describe('CEF of detections', () => {
  it('is the RegisterProbe class if one is published', () => {
    const { header, extensions } = parse(found(detection) ?? '');
    expect(header.slice(4)).toEqual(['RegisterProbe', 'Probe using Register Increment', '10']);
    expect(extensions).toMatchObject({
      externalId: detection.id,
      dproc: 'edge-gw',
      cs1: 'ip',
      cs1Label: 'register',
      cn1: '10',
      cn2: '190',
      cs3: 'TA0002/T1203 TA0005/T1562.006',
      rt: String(Date.parse('2026-01-31T12:00:04.500Z')),
    });
    expect(extensions).not.toHaveProperty('cs5Label');
  });

  it('is another class otherwise', () => {
    expect(parse(found(tampering) ?? '').header.slice(4)).toEqual(['detector-tampering', 'Detector tampering', '5']);
  });
});

describe('CEF escaping', () => {
  it.each([
    ['a|b\\c', 'a\\|b\\\\c'],
    ['a\r\nb\nc', 'a b c'],
    ['a=b', 'a=b'],
    ['a\0b', 'a\ufffdb'],
  ])('of a header field: %j', (value, escaped) => {
    expect(cefHeader(value)).toBe(escaped);
  });

  it.each([
    ['a|b', 'a|b'],
    ['a=b\\c', 'a\\=b\\\\c'],
    ['a\r\nb\rc\u2028d', 'a\\nb\\nc\\nd'],
    ['a\0b\x1b', 'a\ufffdb\ufffd'],
    ['\ud800', '\ufffd'],
  ])('of an extension: %j', (value, escaped) => {
    expect(cefValue(value)).toBe(escaped);
  });
});
