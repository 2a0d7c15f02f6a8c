import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { GENERATED_DAYS } from './generated-events.ts';

/**
 * Generates detections of the generated fleet, each with two revisions, spread over the same days. An analyst has
 * decided about a third of them. One in a hundred is critical.
 */
export async function generateDetections(clickhouse: ClickHouse, detections: number): Promise<void> {
  const params = { detections, days: GENERATED_DAYS };
  for (const revision of [1, 2])
    await clickhouse.command(
      'generate detections',
      `INSERT INTO ${clickhouse.table('detection_records')} (id, revision, received, rule, severity, hostname, procname, file, register, firstSeen, lastSeen,
         crashes, suppressedAtLeast, message, values, valuesTotal, attack, evidenceCount, exception, event)
       WITH toDateTime64(now64(9) - INTERVAL toUInt64({days:UInt64} * 86400 * (1 - number / {detections:UInt64})) SECOND, 9, 'UTC') AS begun,
         concat('edge-', leftPad(toString(number % 1000), 4, '0'), '.fra1.example.net') AS host, concat('nginx-worker-', toString(number % 40 * 5)) AS program
       SELECT concat('det_', lower(hex(sipHash128(number)))), {revision:UInt64}, begun,
         tuple(['instruction-pointer-probe', 'register-value-probe', 'stack-canary-probe', 'suppressed-crash-burst', 'detector-tampering'][number % 5 + 1], 1, 'A rule'),
         multiIf(number % 100 = 0, 'critical', number % 10 = 1, 'high', number % 3 = 0, 'medium', 'low'), host, program,
         concat('lib', toString(number % 150), '.so.1'), ['ip', 'RDI', 'RSI', 'canary'][number % 4 + 1], begun, begun + INTERVAL {revision:UInt64} * 60 SECOND,
         20 * {revision:UInt64}, 5, concat('The instruction pointer of ', program, ' on ', host, ' moves systematically by a few bytes from crash to crash'),
         arrayMap(i -> concat('0x', lower(hex(94577000000000 + number * 4096 + i))), range(20)), 20, [tuple('Credential Access', 'T1212', 'Exploitation')], 25, NULL, NULL
       FROM numbers({detections:UInt64})`,
      { params: { ...params, revision } },
    );
  await clickhouse.command(
    'generate decisions',
    `INSERT INTO ${clickhouse.table('detection_triage')} (id, changed, status, verdict, assignee, note)
     SELECT concat('det_', lower(hex(sipHash128(number * 3)))), now64(3), if(number % 2 = 0, 'closed', 'acknowledged'), if(number % 2 = 0, 'benign', NULL), NULL,
       if(number % 500 = 0, 'seen with the mail team', NULL)
     FROM numbers(intDiv({detections:UInt64}, 3))`,
    { params },
  );
}
