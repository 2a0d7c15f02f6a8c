import type { Instant } from '#schemas/events/accepted.ts';
import { addValue, covers, type Episode, findOpen, openEpisode } from '../episode.ts';
import type { TrackerContext } from '../state/context.ts';
import type { Host } from '../state/program.ts';
import { rememberSign, type SignDetection, signsOf } from './host-signs.ts';
import { ALERT_OF_SIGNS, describeRisk, pointsBySign, RISK_POINTS, scoreOf } from './score.ts';

/** Maximum number of alerts kept per host, so that late events do not open them again. */
const MAX_ALERTS = 4;
/** Minimum points at the peak for a sign to be listed. */
const MIN_LISTED = 1;
/** Maximum number of signs in a message. */
const MAX_LISTED = 12;
/** Maximum number of detections that an alert names. Further ones are only counted. */
const MAX_NAMED = 256;
/** Minimum time between two revisions of an open alert if only time has passed. */
const GROWS_EACH_SECONDS = 3_600;

interface RiskSettings {
  readonly quiet: number;
  readonly minScore: number;
}

interface Peak {
  readonly at: number;
  readonly score: number;
}

/**
 * Records a detection of the host that opened or grew. Opens an alert when signs that are each below the threshold
 * reach it together. Until no sign arrived for the quiet time, further signs of any severity extend this alert.
 */
export function addSign(
  context: TrackerContext,
  host: Host,
  episode: Episode,
  time: Instant,
  rule: RiskSettings,
): void {
  if (episode.rule === ALERT_OF_SIGNS) return;
  const points = RISK_POINTS[episode.severity];
  if (points === 0) return;
  const from = rememberSign(host, ALERT_OF_SIGNS, episode, points);
  if (from === undefined) return;
  const open = findOpen(host.episodes, ALERT_OF_SIGNS, time.seconds, rule.quiet);
  if (open === undefined) {
    judge(context, host, time, from, rule);
    return;
  }
  if (open.values.has(episode.id) && from > episode.first.seconds) {
    if (episode.last.seconds - open.last.seconds >= GROWS_EACH_SECONDS) context.revise(open, time);
    return;
  }
  const signs = signsOf(host, ALERT_OF_SIGNS);
  const peak = peakOf(signs, (at) => covers(open, at, rule.quiet));
  const own = signs.filter(({ id }) => id === episode.id);
  takeIn(open, own, peak?.score ?? 0);
  context.revise(open, time);
}

function judge(context: TrackerContext, host: Host, time: Instant, from: number, rule: RiskSettings): void {
  const signs = signsOf(host, ALERT_OF_SIGNS);
  const weak = signs.filter(({ points }) => points < rule.minScore);
  // The score without decay is an upper bound. It is usually below the threshold, and the peak need not be computed.
  if (
    scoreOf(
      weak.map((one) => ({ ...one, first: 0, last: 0 })),
      0,
    ) < rule.minScore
  )
    return;
  const alerts = host.episodes?.filter((one) => one.rule === ALERT_OF_SIGNS) ?? [];
  const isNew = (at: number): boolean => at >= from && !alerts.some((one) => covers(one, at, rule.quiet));
  const peak = peakOf(weak, isNew);
  if (peak === undefined || peak.score < rule.minScore) return;
  const { at } = peak;
  const counted = listed(signs, at);
  const ended = alerts.map(({ last }) => last.seconds).filter((last) => last < at);
  const first = Math.max(...ended, Math.min(...counted.map((sign) => sign.first)));
  const episode = openEpisode(
    {
      rule: ALERT_OF_SIGNS,
      hostname: host.name,
      program: null,
      register: null,
      place: 'host',
      first: { seconds: first, nanos: 0 },
      // Independent of the event's time: the same signs in another order reach the threshold with a different event.
      value: String(at),
    },
    { procname: null, file: null },
    0,
  );
  takeIn(episode, counted, scoreOf(signs, at));
  const others = host.episodes?.filter((one) => !alerts.includes(one)) ?? [];
  host.episodes = [...others, ...alerts.slice(1 - MAX_ALERTS), episode];
  context.revise(episode, time);
}

/**
 * Returns the instant with the highest score, among those for which `counts` is true. A score rises only when a
 * detection begins.
 */
function peakOf(signs: readonly SignDetection[], counts: (at: number) => boolean): Peak | undefined {
  let best: Peak | undefined;
  for (const at of new Set(signs.map(({ first }) => first).filter(counts))) {
    const score = scoreOf(signs, at);
    if (best === undefined || score > best.score || (score === best.score && at < best.at)) best = { at, score };
  }
  return best;
}

/** Returns the signs that count at the instant, including severe ones. */
function listed(signs: readonly SignDetection[], at: number): SignDetection[] {
  const bySign = pointsBySign(signs, at);
  return signs.filter(({ sign, first }) => first <= at && (bySign.get(sign) ?? 0) >= MIN_LISTED);
}

/** Adds signs to an alert. The score of an alert never falls. */
function takeIn(alert: Episode, signs: readonly SignDetection[], score: number): void {
  for (const { id } of signs) addValue(alert, id, MAX_NAMED);
  alert.evidence = alert.values.size + alert.valuesBeyond;
  const [before = '0', ...names] = alert.detail;
  const all = [...new Set([...names, ...signs.map(({ sign }) => sign)])].slice(0, MAX_LISTED);
  alert.detail = [String(Math.max(Number(before), describeRisk(score).score)), ...all];
}
