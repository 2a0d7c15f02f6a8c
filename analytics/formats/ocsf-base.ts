/** Release of the Open Cybersecurity Schema Framework that the events follow. */
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

/** The classification attributes of an event, `type_uid` computed as the framework says: class_uid * 100 + activity_id. */
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

/** The severity with the name OCSF gives it. */
export function ocsfSeverity(id: OcsfSeverity): { readonly severity_id: number; readonly severity: string } {
  return { severity_id: id, severity: OCSF_SEVERITIES[id] };
}

export const OCSF_PRODUCT = { name: 'Trapline', vendor_name: 'Trapline' } as const;

/** The monitored host. Its kind is not known (`type_id` 0), its kernel is Linux. */
export function ocsfDevice(hostname: string): Record<string, unknown> {
  return { hostname, type_id: 0, type: 'Unknown', os: { name: 'Linux', type: 'Linux', type_id: 200 } };
}

/** Whether the value fits OCSF's 32-bit `integer_t`. */
export function fitsInteger(value: number | bigint | null): value is number {
  return typeof value === 'number' && value <= 0x7fff_ffff;
}
