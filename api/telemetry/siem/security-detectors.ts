import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { SecurityEvent, SecurityEventKind } from '#api/http/security-events.ts';
import { ABUSE_THRESHOLDS, STUFFING_ACCOUNTS, type Threshold } from './abuse-thresholds.ts';
import type { SecurityIncident } from './port.ts';

/*
 * Signals of one kind from one address:
 *
 *   counting ──► open       threshold reached within the window: reported immediately
 *      ▲           │        continues for ten minutes: reported again with the present count
 *      └───────────┘        no signal for a minute: reported once more with the full count, if it grew
 *
 * Signals of an open incident only increase its count, so a flood of any length is one incident.
 */

export interface SecurityDetectors {
  /** Processes one signal. Returns the incidents to report now: none, or one. */
  notice(event: SecurityEvent, nowMs: number): SecurityIncident[];
  /** Returns the incidents that have ended, with their full counts. */
  settle(nowMs: number): SecurityIncident[];
  /** Returns the number of open incidents. */
  open(): number;
}

export interface DetectorConfig {
  readonly thresholds?: Readonly<Record<SecurityEventKind, Threshold>>;
  /** Time without a signal after which an incident ends, ms. Default: one minute. */
  readonly quietMs?: number;
  /** Interval in which a continuing incident is reported again, ms. Default: ten minutes. */
  readonly againMs?: number;
  /** Maximum number of tracked pairs of kind and address; the least recently active ones are removed first. Default 10,000. */
  readonly maxTracked?: number;
  /** Returns the group of an address that counts as one. */
  readonly addressGroup: (ip: string) => string;
}

const MAX_TARGETS = 100;

interface Track {
  readonly kind: SecurityEventKind;
  count: number;
  firstMs: number;
  lastMs: number;
  latest: SecurityEvent;
  /** Hashes of the targets, limited in number. */
  readonly targets: Set<string>;
  /** Id of the incident while it is open. */
  incident: string | undefined;
  /** The last reported count, and its time. */
  reported: number;
  reportedMs: number;
}

/**
 * Turns abuse signals into incidents, in the memory of one process.
 * Long: its functions share the counters of the detectors.
 */
export function createSecurityDetectors(config: DetectorConfig): SecurityDetectors {
  const {
    thresholds = ABUSE_THRESHOLDS,
    quietMs = 60_000,
    againMs = 600_000,
    maxTracked = 10_000,
    addressGroup,
  } = config;
  /** By kind and address, most recent last. */
  const tracks = new Map<string, Track>();
  const hashKey = randomBytes(32);
  let openIncidents = 0;

  return {
    notice(event, nowMs) {
      const known = tracks.has(keyOf(event.kind, event));
      const forgotten = !known && tracks.size >= maxTracked ? forgetOldest(nowMs) : [];
      const track = follow(event.kind, event, nowMs);
      if (event.kind !== 'password-guessing' || track.targets.size < STUFFING_ACCOUNTS) {
        return [...forgotten, ...openWhenEnough(track, nowMs)];
      }
      // Failures over many accounts are reported as one incident.
      const stuffing = follow('credential-stuffing', event, nowMs);
      if (stuffing.count === 1) {
        stuffing.count = track.count;
        stuffing.firstMs = track.firstMs;
      }
      for (const target of track.targets) stuffing.targets.add(target);
      return [...forgotten, ...openWhenEnough(stuffing, nowMs)];
    },
    settle(nowMs) {
      const incidents: SecurityIncident[] = [];
      for (const [key, track] of tracks) {
        const isOpen = track.incident !== undefined;
        const isOver = nowMs - track.lastMs >= (isOpen ? quietMs : thresholds[track.kind].windowMs);
        if (isOver) remove(key, track);
        if (isOver || (isOpen && nowMs - track.reportedMs >= againMs)) incidents.push(...reportRest(track, nowMs));
      }
      return incidents;
    },
    open: () => openIncidents,
  };

  function follow(kind: SecurityEventKind, event: SecurityEvent, nowMs: number): Track {
    const key = keyOf(kind, event);
    const known = tracks.get(key);
    tracks.delete(key);
    const stale =
      known !== undefined && known.incident === undefined && nowMs - known.firstMs >= thresholds[kind].windowMs;
    const track: Track =
      known === undefined || stale
        ? {
            kind,
            count: 0,
            firstMs: nowMs,
            lastMs: nowMs,
            latest: event,
            targets: new Set(),
            incident: undefined,
            reported: 0,
            reportedMs: 0,
          }
        : known;
    tracks.set(key, track);
    track.count++;
    track.lastMs = nowMs;
    track.latest = event;
    const target = event.target ?? (isAboutAccounts(kind) ? event.subject : undefined);
    if (target !== undefined && track.targets.size < MAX_TARGETS) track.targets.add(hashOf(target));
    return track;
  }

  function keyOf(kind: SecurityEventKind, { origin }: SecurityEvent): string {
    return `${kind} ${addressGroup(origin.ip)}`;
  }

  function openWhenEnough(track: Track, nowMs: number): SecurityIncident[] {
    if (track.incident !== undefined || track.count < thresholds[track.kind].signs) return [];
    track.incident = `sec_${randomUUID().replaceAll('-', '')}`;
    openIncidents++;
    return reportRest(track, nowMs);
  }

  function reportRest(track: Track, nowMs: number): SecurityIncident[] {
    if (track.incident === undefined || track.count === track.reported) return [];
    track.reported = track.count;
    track.reportedMs = nowMs;
    const { origin, actor = 'anonymous', subject } = track.latest;
    return [
      {
        id: track.incident,
        kind: track.kind,
        origin,
        actor,
        subject,
        count: track.count,
        targets: track.targets.size,
        firstAt: new Date(track.firstMs),
        lastAt: new Date(track.lastMs),
      },
    ];
  }

  function remove(key: string, track: Track): void {
    tracks.delete(key);
    if (track.incident !== undefined) openIncidents--;
  }

  function forgetOldest(nowMs: number): SecurityIncident[] {
    const [oldest] = tracks;
    if (oldest === undefined) return [];
    remove(...oldest);
    return reportRest(oldest[1], nowMs);
  }

  /** Targets are only compared, so only their hashes are kept. */
  function hashOf(target: string): string {
    return createHmac('sha256', hashKey).update(target).digest('base64').slice(0, 16);
  }
}

/** True for kinds whose signals without a `target` name the account in `subject`. */
function isAboutAccounts(kind: SecurityEventKind): boolean {
  return kind === 'password-guessing' || kind === 'credential-stuffing' || kind === 'code-guessing';
}
