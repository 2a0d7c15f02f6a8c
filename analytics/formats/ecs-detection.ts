import type { Detection } from '#schemas/detection.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { ecsBase, ecsCampaignHosts, ecsHost, ecsOrchestrator, group, present } from './ecs-base.ts';
import { ecsThreat } from './ecs-threat.ts';

/** Severities on the scale of 0 to 100 of Elastic Security's own rules. */
const SEVERITIES: Record<Detection['severity'], number> = { info: 1, low: 21, medium: 47, high: 73, critical: 99 };

/**
 * Returns the ECS document of a detection: an alert at the time of its latest evidence. Every revision of a detection
 * has the same `event.id`. If this id is the document's `_id`, a newer revision replaces the older one.
 */
export function ecsDetection(d: Detection): Record<string, unknown> & { readonly event: object } {
  return {
    ...ecsBase(d.lastSeen),
    message: d.message,
    event: {
      kind: 'alert',
      category: ['intrusion_detection'],
      type: ['info'],
      action: d.rule.id,
      code: d.rule.id,
      module: 'trapline',
      dataset: 'trapline.detection',
      id: d.id,
      severity: SEVERITIES[d.severity],
      start: d.firstSeen,
      end: d.lastSeen,
      ...(d.event === null ? {} : { original: stringifyExact(d.event) }),
    },
    rule: { id: d.rule.id, name: d.rule.name, version: String(d.rule.version), ruleset: 'trapline' },
    ...ecsThreat(d.attack),
    ...ecsHost(d.hostname, d.risk),
    ...ecsCampaignHosts(d.hosts),
    ...group('process', { name: d.procname, executable: d.executable, ...ecsParent(d.parent) }),
    ...group('user', { id: d.uid?.toString() }),
    ...group('container', { id: d.container }),
    ...ecsOrchestrator(d.pod),
    ...group('file', { name: d.file }),
    ...group('trapline', {
      unit: d.unit,
      build_id: d.buildId,
      detection: present({
        id: d.id,
        revision: d.revision,
        severity: d.severity,
        register: d.register,
        crashes: d.crashes,
        suppressed_at_least: d.suppressedAtLeast,
        values: d.values,
        values_total: d.valuesTotal,
        evidence_count: d.evidenceCount,
        ...(d.hostsTotal === 0 ? {} : { hosts_total: d.hostsTotal }),
        status: d.status,
        verdict: d.verdict,
        assignee: d.assignee,
        note: d.note,
        exception: d.exception,
      }),
    }),
  };
}

/** Returns `process.parent.*`. For an executable, this includes its path. */
function ecsParent(parent: string | null): Record<string, unknown> {
  if (parent === null || !parent.startsWith('/')) return group('parent', { name: parent });
  return group('parent', { name: parent.slice(parent.lastIndexOf('/') + 1), executable: parent });
}
