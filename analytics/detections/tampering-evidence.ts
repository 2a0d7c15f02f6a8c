import type { Instant } from '#schemas/events/accepted.ts';
import type { ConfigMismatch } from '#schemas/events/v1.ts';
import { covers, openEpisode } from './episode.ts';
import { hidesEvidence, normaliseKey } from './rules/detector-tampering.ts';
import type { TrackerContext } from './state/context.ts';
import { ownCopy } from './state/own-copy.ts';
import type { Host } from './state/program.ts';

/** Episodes of a host that are remembered at most; the keys are whatever a sender writes. */
const MAX_EPISODES = 32;
const MAX_KEY = 128;
const MAX_VALUE = 256;

/** Takes in a setting that differs from what the detector set: one episode a host and setting. */
export function addMismatch(context: TrackerContext, host: Host, event: ConfigMismatch, time: Instant): void {
  const rule = context.settings.rules['detector-tampering'];
  const change = { key: event.key, expected: event.expected_value, observed: event.observed_value };
  if (!rule.enabled || !hidesEvidence(change)) return;
  const key = ownCopy(normaliseKey(event.key), MAX_KEY);
  const values = [ownCopy(event.expected_value, MAX_VALUE), ownCopy(event.observed_value, MAX_VALUE)];
  const sameKey = host.episodes?.filter((e) => e.rule === 'detector-tampering' && e.detail[0] === key) ?? [];
  const open = sameKey.find((e) => covers(e, time.seconds, rule.quiet));
  if (open !== undefined) {
    open.evidence += 1;
    open.detail = [key, ...values];
    context.revise(open, time);
    return;
  }
  const episode = openEpisode(
    {
      rule: 'detector-tampering',
      hostname: host.name,
      program: null,
      register: null,
      place: key,
      first: time,
      value: values.join('\n'),
    },
    { procname: null, file: null },
    1,
  );
  episode.detail = [key, ...values];
  const ended = sameKey.find((e) => e.last.seconds < time.seconds);
  const others = (host.episodes ?? []).filter((e) => e !== ended);
  if (others.length >= MAX_EPISODES) {
    const stalest = others.reduce((a, b) => (b.touched < a.touched ? b : a));
    others.splice(others.indexOf(stalest), 1);
  }
  host.episodes = [...others, episode];
  context.revise(episode, time);
}
