import type { Detection } from '#schemas/detection.ts';

/** Version of the Elastic Common Schema to which the documents conform. */
export const ECS_VERSION = '9.4.0';

/** Returns the fields that every document has. */
export function ecsBase(timestamp: string): {
  readonly '@timestamp': string;
  readonly ecs: object;
  readonly observer: object;
} {
  return {
    '@timestamp': timestamp,
    ecs: { version: ECS_VERSION },
    observer: { vendor: 'Trapline', product: 'Trapline', type: 'sensor' },
  };
}

/**
 * Returns `host.*`, also for records without a known host. The risk is `calculated`, because Trapline computes it from
 * its own detections. `static` is for risk from another system.
 */
export function ecsHost(hostname: string | null | undefined, risk: Detection['risk'] = null): object {
  if (!hostname) return {};
  const calculated =
    risk === null
      ? {}
      : {
          risk: {
            calculated_score: risk.score,
            calculated_score_norm: risk.normalised,
            calculated_level: risk.level,
          },
        };
  return { host: { name: hostname, hostname, ...calculated }, related: { hosts: [hostname] } };
}

/** Returns `related.hosts` of a campaign, which belongs to no single host. */
export function ecsCampaignHosts(hosts: readonly string[]): object {
  return hosts.length === 0 ? {} : { related: { hosts } };
}

/** Returns `orchestrator.*`, also for records without a known Kubernetes pod. */
export function ecsOrchestrator(podUid: string | null): Record<string, unknown> {
  return podUid === null ? {} : { orchestrator: { type: 'kubernetes', resource: { type: 'pod', id: podUid } } };
}

/** Returns the members that are neither null nor undefined. Elasticsearch stores neither. */
export function present(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
}

/** Returns the group under its name, or nothing if it would be empty. */
export function group(name: string, members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = present(members);
  return Object.keys(kept).length === 0 ? {} : { [name]: kept };
}
