/** Version of the Open Cybersecurity Schema Framework to which the events conform. */
export const OCSF_VERSION = '1.8.0';

/** OCSF's `severity_id` and its caption. */
export const OCSF_SEVERITIES = {
  1: 'Informational',
  2: 'Low',
  3: 'Medium',
  4: 'High',
  5: 'Critical',
  6: 'Fatal',
} as const;
export type OcsfSeverity = keyof typeof OCSF_SEVERITIES;

/**
 * Returns the classification attributes of an event. `type_uid` is class_uid * 100 + activity_id, as OCSF defines it.
 */
export function ocsfClass(
  category: readonly [uid: number, name: string],
  cls: readonly [uid: number, name: string],
  activity: readonly [id: number, name: string],
): Record<string, number | string> {
  return {
    category_uid: category[0],
    category_name: category[1],
    class_uid: cls[0],
    class_name: cls[1],
    activity_id: activity[0],
    activity_name: activity[1],
    type_uid: cls[0] * 100 + activity[0],
    type_name: `${cls[1]}: ${activity[1]}`,
  };
}

/** Returns the severity with its name in OCSF. */
export function ocsfSeverity(id: OcsfSeverity): { readonly severity_id: number; readonly severity: string } {
  return { severity_id: id, severity: OCSF_SEVERITIES[id] };
}

export const OCSF_PRODUCT = { name: 'Trapline', vendor_name: 'Trapline' } as const;

/** Returns the monitored host. Its kind is unknown (`type_id` 0), and its kernel is Linux. */
export function ocsfDevice(hostname: string): Record<string, unknown> {
  return { hostname, type_id: 0, type: 'Unknown', os: { name: 'Linux', type: 'Linux', type_id: 200 } };
}

/** Returns true if the value fits OCSF's 32-bit `integer_t`. */
export function fitsInteger(value: number | bigint | null): value is number {
  return typeof value === 'number' && value <= 0x7fff_ffff;
}
