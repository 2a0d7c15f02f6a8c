import { exactJson } from '#api/executions/tasks/functions/exact-json.ts';
import type { Detection } from '#schemas/detection.ts';

/** Attributes of every event about a detection: its subject, its data, and what filters can name outside of the data. */
export function detectionAttributes(detection: Detection) {
  const { id, rule, severity, hostname, procname, register } = detection;
  return {
    subject: id,
    datacontenttype: 'application/json',
    rule: rule.id,
    severity,
    ...(hostname === null ? {} : { hostname }),
    ...(procname === null ? {} : { procname }),
    ...(register === null ? {} : { register }),
    data: exactJson(detection),
  };
}
