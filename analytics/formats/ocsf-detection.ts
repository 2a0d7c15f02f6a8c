import type { Attack, Detection } from '#schemas/detection.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { splitTechnique, tacticName } from './attack-tactics.ts';
import { present } from './ecs-base.ts';
import {
  fitsInteger,
  OCSF_PRODUCT,
  OCSF_VERSION,
  type OcsfSeverity,
  ocsfClass,
  ocsfDevice,
  ocsfSeverity,
} from './ocsf-base.ts';

const SEVERITIES: Record<Detection['severity'], OcsfSeverity> = { info: 1, low: 2, medium: 3, high: 4, critical: 5 };
const STATUSES = { new: [1, 'New'], acknowledged: [2, 'In Progress'], closed: [4, 'Resolved'] } as const;
const VERDICTS = {
  true_positive: [2, 'True Positive'],
  false_positive: [1, 'False Positive'],
  benign: [5, 'Benign'],
} as const;

/** OCSF risk levels by ECS level. */
const RISK_LEVELS = {
  Unknown: [0, 'Info'],
  Low: [1, 'Low'],
  Moderate: [2, 'Medium'],
  High: [3, 'High'],
  Critical: [4, 'Critical'],
} as const;

/** Returns the risk of the host. `risk_score` is an integer in OCSF; the details contain the exact score. */
function ocsfRisk(risk: Detection['risk']): Record<string, unknown> {
  if (risk === null) return {};
  const [risk_level_id, risk_level] = RISK_LEVELS[risk.level];
  return {
    risk_score: Math.round(risk.score),
    risk_level_id,
    risk_level,
    risk_details: `The signs of the host add up to ${risk.score}, ${risk.normalised} on a scale of 0 to 100.`,
  };
}

function ocsfAttack(attack: Attack): Record<string, unknown> {
  const { technique, subTechnique } = splitTechnique(attack);
  return {
    tactic: { uid: attack.tactic, name: tacticName(attack.tactic) },
    technique: subTechnique === undefined ? { uid: technique, name: attack.name } : { uid: technique },
    ...(subTechnique === undefined ? {} : { sub_technique: { uid: subTechnique, name: attack.name } }),
  };
}

/** Returns the decisions of analysts about the finding, in the `incident` profile. */
function triage(d: Detection): Record<string, unknown> {
  const [verdict_id, verdict] = d.verdict === null ? [] : VERDICTS[d.verdict];
  return {
    ...(verdict_id === undefined ? {} : { verdict_id, verdict }),
    ...(d.assignee === null ? {} : { assignee: { name: d.assignee } }),
  };
}

/** Returns hosts, programs and files as observables. */
function observables(d: Detection): object[] {
  return [
    ...(d.hostname === null ? [] : [{ name: 'device.hostname', type_id: 1, type: 'Hostname', value: d.hostname }]),
    ...d.hosts.map((value) => ({ name: 'unmapped.hosts', type_id: 1, type: 'Hostname', value })),
    ...(d.procname === null
      ? []
      : [{ name: 'unmapped.procname', type_id: 9, type: 'Process Name', value: d.procname }]),
    ...(d.file === null ? [] : [{ name: 'evidences[].file.name', type_id: 7, type: 'File Name', value: d.file }]),
  ];
}

/**
 * Returns the OCSF Detection Finding (class 2004) of a detection. The first revision creates the finding, later ones
 * update it, and closing closes it. `finding_info.uid` stays the same. The program is in `unmapped` and in the
 * observables: an OCSF process needs a pid, and a detection covers many processes.
 */
export function ocsfDetection(d: Detection): Record<string, unknown> {
  const start = Date.parse(d.firstSeen);
  const end = Date.parse(d.lastSeen);
  const people = triage(d);
  const seen = observables(d);
  const [status_id, status] = d.exception === null ? STATUSES[d.status] : [3, 'Suppressed'];
  const activity =
    d.status === 'closed'
      ? ([3, 'Close'] as const)
      : d.revision === 1
        ? ([1, 'Create'] as const)
        : ([2, 'Update'] as const);
  return {
    ...ocsfClass([2, 'Findings'], [2004, 'Detection Finding'], activity),
    ...ocsfSeverity(SEVERITIES[d.severity]),
    status_id,
    status,
    time: end,
    start_time: start,
    end_time: end,
    duration: Math.max(0, end - start),
    timezone_offset: 0,
    ...(fitsInteger(d.evidenceCount) ? { count: d.evidenceCount } : {}),
    is_alert: true,
    message: d.message,
    ...(d.note === null ? {} : { comment: d.note }),
    ...people,
    ...ocsfRisk(d.risk),
    metadata: {
      version: OCSF_VERSION,
      uid: `${d.id}/${d.revision}`,
      correlation_uid: d.id,
      log_name: 'detections',
      original_time: d.lastSeen,
      product: OCSF_PRODUCT,
      ...(Object.keys(people).length === 0 ? {} : { profiles: ['incident'] }),
    },
    finding_info: {
      uid: d.id,
      title: d.rule.name,
      desc: d.message,
      types: [d.rule.id],
      analytic: { uid: d.rule.id, name: d.rule.name, version: String(d.rule.version), type_id: 2, type: 'Behavioral' },
      attacks: d.attack.map(ocsfAttack),
      created_time: start,
      first_seen_time: start,
      last_seen_time: end,
      data_sources: ['Linux kernel log'],
    },
    ...(d.hostname === null ? {} : { device: ocsfDevice(d.hostname) }),
    evidences: [
      {
        ...(d.file === null ? {} : { file: { name: d.file, type_id: 0, type: 'Unknown' } }),
        ...(d.uid === null ? {} : { user: { uid: String(d.uid) } }),
        ...(d.container === null
          ? {}
          : { container: { uid: d.container, ...(d.pod === null ? {} : { pod_uuid: d.pod }) } }),
        data: { register: d.register, values: d.values, values_total: d.valuesTotal },
      },
    ],
    ...(seen.length === 0 ? {} : { observables: seen }),
    ...(d.event === null ? {} : { raw_data: stringifyExact(d.event) }),
    unmapped: {
      procname: d.procname,
      register: d.register,
      revision: d.revision,
      crashes: d.crashes,
      suppressed_at_least: d.suppressedAtLeast,
      evidence_count: d.evidenceCount,
      ...(d.hostsTotal === 0 ? {} : { hosts: d.hosts, hosts_total: d.hostsTotal }),
      exception: d.exception,
      ...present({ executable: d.executable, build_id: d.buildId, parent: d.parent, unit: d.unit, pod: d.pod }),
    },
  };
}
