import type { OutputMessage } from './port.ts';

/**
 * Returns the test message of an output: marked as a test in every field, with the lowest severity, about a host that
 * does not exist.
 */
export function testMessage(outputName: string, at: Date): OutputMessage {
  const time = at.toISOString().replace('Z', '000000Z');
  return {
    seq: 0,
    cause: 'test',
    at,
    detection: {
      id: `det_${'0'.repeat(32)}`,
      revision: 1,
      rule: { id: 'instruction-pointer-probe', version: 1, name: 'Test of an output' },
      severity: 'info',
      hostname: 'trapline-test',
      hosts: [],
      hostsTotal: 0,
      procname: 'trapline-test',
      file: null,
      executable: null,
      buildId: null,
      uid: null,
      unit: null,
      container: null,
      parent: null,
      pod: null,
      register: null,
      firstSeen: time,
      lastSeen: time,
      crashes: 0,
      suppressedAtLeast: 0,
      message: `TEST of the output "${outputName}": nothing happened`,
      values: [],
      valuesTotal: 0,
      attack: [],
      evidenceCount: 0,
      risk: null,
      status: 'closed',
      verdict: 'benign',
      assignee: null,
      note: null,
      exception: null,
      event: null,
    },
  };
}
