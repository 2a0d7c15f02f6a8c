import type { Detection } from '#schemas/detection.ts';
import { viewDetection } from '../detection-view.ts';
import { addValue, compareInstants, type Episode, openEpisode } from '../episode.ts';
import { createExceptionFinder } from '../exception.ts';
import { rule } from '../rules/fleet-scan.ts';
import { type DetectionSettings, settingsOfRule } from '../settings.ts';
import { toHexadecimal } from '../state/address.ts';
import type { FleetGroup } from './fleet-groups.ts';
import { type Campaign, replayGroup } from './replay-group.ts';

/** Maximum number of hosts that a campaign names. */
const MAX_HOSTS = 256;
const MAX_VALUES = 4_096;

/** Returns the thresholds of the fleet rule in effect. */
export function fleetThresholds(settings: Pick<DetectionSettings, 'rules'>) {
  const { enabled, severity, ...thresholds } = settingsOfRule(settings, rule.id);
  return { enabled, severity, thresholds: rule.thresholds.parse(thresholds) };
}

/**
 * Returns the campaign detections in the groups, ordered by first evidence. A pure function: the same groups give the
 * same detections with the same ids.
 */
export function findCampaigns(groups: Iterable<FleetGroup>, settings: DetectionSettings): Detection[] {
  const { enabled, severity, thresholds } = fleetThresholds(settings);
  if (!enabled) return [];
  const findException = createExceptionFinder(settings.exceptions);
  const found: Episode[] = [];
  for (const group of groups) {
    const campaign = replayGroup(group, thresholds);
    if (campaign === undefined) continue;
    const episode = openCampaign(group, campaign, thresholds.quiet);
    episode.severity =
      severity === 'auto'
        ? (rule.severityOf?.(episode, { ...thresholds, enabled, severity }) ?? rule.severity)
        : severity;
    found.push(episode);
  }
  found.sort((a, b) => compareInstants(a.first, b.first) || (a.id < b.id ? -1 : 1));
  return found.map((episode) => viewDetection(episode, findException, settings.justification));
}

/**
 * Creates the episode of a campaign. Its id depends on the binary and the window only, so a late event does not change
 * it.
 */
function openCampaign(group: FleetGroup, { movement, crashes, reached }: Campaign, windowSeconds: number): Episode {
  const hosts = [...new Set(crashes.map(({ hostname }) => hostname))].sort(compareHostnames);
  const offsets = [...new Set(crashes.map(({ offset }) => offset))].sort((a, b) => a - b);
  const episode = openEpisode(
    {
      rule: rule.id,
      // A campaign belongs to no single host. `hosts` lists its hosts.
      hostname: null,
      program: group.program,
      register: null,
      place: `file:${group.file}:${group.size}`,
      first: { seconds: group.window * windowSeconds, nanos: 0 },
      value: 'fleet',
    },
    { procname: group.procname, file: group.file },
    crashes.length,
  );
  episode.first = crashes[0]?.time ?? group.first;
  episode.last = crashes.at(-1)?.time ?? group.first;
  episode.crashes = crashes.length;
  // Of two judgements of a growing group, the one with more events has the higher revision.
  episode.revision = reached;
  const builds = new Set(crashes.flatMap(({ build }) => build ?? []));
  const build = builds.size === 1 ? ([...builds][0] as string) : '';
  episode.detail = [movement, String(hosts.length), build, ...hosts.slice(0, MAX_HOSTS)];
  for (const offset of offsets) addValue(episode, toHexadecimal({ space: 0, offset }), MAX_VALUES);
  return episode;
}

const NATURAL = new Intl.Collator('en', { numeric: true });

/** Natural order: `web-2` before `web-10`. */
function compareHostnames(a: string, b: string): number {
  return NATURAL.compare(a, b) || (a < b ? -1 : 1);
}
