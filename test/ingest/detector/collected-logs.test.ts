import { expect, test } from 'vitest';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import { createKernelLogParser } from '#ingest/detector/kernel-log-parser.ts';
import { createLineSplitter } from '#ingest/detector/sources/line-splitter.ts';

const FAULT = 'a b[77]: segfault at 0 ip 0000000000401005 sp 00007ffd00000000 error 4 in f[401000+1000]';
const UPTIME = `[ 1234.567890] ${FAULT}`;
const TIME = '2024-01-05T10:11:12.345Z';
const JOURNAL = {
  __CURSOR: 's=1;i=2',
  __REALTIME_TIMESTAMP: '1704449472345678',
  _HOSTNAME: 'web-1',
  _TRANSPORT: 'kernel',
  PRIORITY: '4',
  MESSAGE: FAULT,
};

/** Each form contains the same fault, of host web-1 if the form has a host name, then a kernel line without a fault. */
const forms: Record<string, { text: string; timestamp: string; hostname?: string }> = {
  'journalctl -o json-pretty': {
    text: `${JSON.stringify(JOURNAL, null, '\t')}\n${JSON.stringify({ ...JOURNAL, MESSAGE: 'x' }, null, '\t')}`,
    timestamp: '2024-01-05T10:11:12.345678Z',
    hostname: 'web-1',
  },
  'journalctl -o json-seq': {
    text: `\u001e${JSON.stringify(JOURNAL)}`,
    timestamp: '2024-01-05T10:11:12.345678Z',
    hostname: 'web-1',
  },
  'journalctl -o json-sse': {
    text: `data: ${JSON.stringify(JOURNAL)}\n\n`,
    timestamp: '2024-01-05T10:11:12.345678Z',
    hostname: 'web-1',
  },
  'journalctl -o export': {
    text: `${Object.entries(JOURNAL)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n')}\n\n__CURSOR=s=1;i=3\nMESSAGE=x\n\n`,
    timestamp: '2024-01-05T10:11:12.345678Z',
    hostname: 'web-1',
  },
  'journalctl -o verbose': {
    text: `Fri 2024-01-05 10:11:12.345678 UTC [s=0a;i=2]\n${Object.entries(JOURNAL)
      .map(([name, value]) => `    ${name}=${value}`)
      .join('\n')}\nFri 2024-01-05 10:11:13.000000 UTC [s=0a;i=3]\n    MESSAGE=x`,
    timestamp: '2024-01-05T10:11:12.345678Z',
    hostname: 'web-1',
  },
  'dmesg --json': {
    text: `{\n   "dmesg": [\n      {\n         "pri": 4,\n         "time":  1234.567890,\n         "msg": ${JSON.stringify(FAULT)}\n      },{\n         "pri": 6,\n         "time":  1235.000000,\n         "msg": "x"\n      }\n   ]\n}`,
    timestamp: '1970-01-01T00:20:34.567890Z',
  },
  'dmesg --color=always': {
    text: `\u001b[32m[ 1234.567890] \u001b[0m\u001b[33ma b[77]: \u001b[0m${FAULT.slice(7)}`,
    timestamp: '1970-01-01T00:20:34.567890Z',
  },
  'a console behind its prompt': { text: `web-1 login: ${UPTIME}`, timestamp: '1970-01-01T00:20:34.567890Z' },
  'logcat with users': {
    text: `01-05 10:11:12.345  root     0     0 I ${UPTIME}`,
    timestamp: '1970-01-01T00:20:34.567890Z',
  },
  'RFC 5424 with the uptime': { text: `<4>1 ${TIME} web-1 kernel - - - ${UPTIME}`, timestamp: TIME, hostname: 'web-1' },
  'a container runtime, one line': { text: `${TIME} stdout F ${UPTIME}`, timestamp: TIME },
  'a container runtime, a line in parts': {
    text: `${TIME} stdout P ${UPTIME.slice(0, 30)}\n${TIME} stdout F ${UPTIME.slice(30)}`,
    timestamp: TIME,
  },
  'json-file of Docker': {
    text: JSON.stringify({ log: `${UPTIME}\n`, stream: 'stdout', time: TIME }),
    timestamp: TIME,
  },
  'Cloud Logging, the journal': {
    text: JSON.stringify({
      jsonPayload: { MESSAGE: FAULT, _HOSTNAME: 'web-1', _TRANSPORT: 'kernel' },
      timestamp: TIME,
    }),
    timestamp: '2024-01-05T10:11:12.345000Z',
    hostname: 'web-1',
  },
  'Cloud Logging, a list of texts': {
    text: JSON.stringify([{ textPayload: UPTIME, timestamp: TIME, labels: { a: 'b' } }, { textPayload: 'x' }], null, 2),
    timestamp: TIME,
  },
  'CloudWatch, filter-log-events': {
    text: JSON.stringify(
      {
        events: [{ timestamp: 1704449472345, message: `Jan  5 10:11:12 web-1 kernel: ${FAULT}` }],
        searchedLogStreams: [],
      },
      null,
      4,
    ),
    timestamp: '2024-01-05T10:11:12Z',
    hostname: 'web-1',
  },
  'aws logs tail': {
    text: `2024-01-05T10:11:12.345000+00:00 i-0abc Jan  5 10:11:12 web-1 kernel: ${FAULT}`,
    timestamp: '2024-01-05T10:11:12Z',
    hostname: 'web-1',
  },
  'Filebeat, ECS': {
    text: JSON.stringify({
      '@timestamp': TIME,
      host: { name: 'web-1' },
      event: { dataset: 'system.syslog' },
      process: { name: 'kernel' },
      message: FAULT,
    }),
    timestamp: TIME,
    hostname: 'web-1',
  },
  'Vector and syslog-ng': {
    text: JSON.stringify({ appname: 'kernel', hostname: 'web-1', message: FAULT, timestamp: TIME }),
    timestamp: TIME,
    hostname: 'web-1',
  },
  Fluentd: {
    text: `2024-01-05T10:11:12+00:00\tkern.info\t${JSON.stringify({ host: 'web-1', ident: 'kernel', message: UPTIME })}`,
    timestamp: '2024-01-05T10:11:12+00:00',
    hostname: 'web-1',
  },
  GELF: {
    text: JSON.stringify({ version: '1.1', host: 'web-1', short_message: FAULT, timestamp: 1704449472.345 }),
    timestamp: TIME,
    hostname: 'web-1',
  },
};

for (const [name, { text, timestamp, hostname }] of Object.entries(forms)) {
  test(`reads the fault in ${name}`, () => {
    const events = detectEventsFromText(text, { hostname: null, referenceMs: Date.UTC(2024, 0, 10) });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      timestamp,
      event: { type: 'LinuxKernelTrap', procname: 'a b', pid: 77, file: 'f' },
    });
    expect(events[0]?.hostname ?? undefined).toBe(hostname);
  });
}

test('attributes lines of another program to that program', () => {
  const record = { appname: 'my-app', hostname: 'web-1', message: FAULT, timestamp: TIME };
  const entry = { ...JOURNAL, _TRANSPORT: 'stdout' };
  for (const text of [JSON.stringify(record), JSON.stringify(record, null, 2), JSON.stringify(entry, null, 2)])
    expect(detectEventsFromText(text, { hostname: null })).toEqual([]);
});

test('continues after truncated JSON', () => {
  const text = `{\n  "MESSAGE": "x",\n${UPTIME}\n[\n${UPTIME.replaceAll('77', '78')}`;
  expect(detectEventsFromText(text, { hostname: null })).toHaveLength(2);
});

test('reads UTF-16 with a byte order mark, split at any byte', () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`${UPTIME}\r\nx`, 'utf16le')]);
  const splitter = createLineSplitter();
  const lines = [...splitter.push(bytes.subarray(0, 31)), ...splitter.push(bytes.subarray(31)), ...splitter.end()];
  const parser = createKernelLogParser({ hostname: null });
  expect(lines.flatMap((line) => [...parser.push(line)])).toHaveLength(1);
  expect(lines.at(-1)).toBe('x');
});
