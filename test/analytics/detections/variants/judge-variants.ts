import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import type { Detection } from '#schemas/detection.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { ATTACKS } from './attacks.ts';
import { BENIGN } from './benign.ts';
import { deliver, type Story } from './variant.ts';

/** Results for all variants of one kind. */
export interface Verdict {
  readonly kind: string;
  readonly isAttack: boolean;
  readonly variants: number;
  /** Attacks that were detected, or benign variants with an alert. */
  readonly alerted: number;
  /** Number of alerts, to reveal attacks that raise several. */
  readonly alerts: number;
  /** Seeds of missed attacks or false alarms. */
  readonly wrong: readonly number[];
}

/** Low severity is not an alert: it only counts for the risk of the host. */
const isAlert = ({ severity }: Detection): boolean => severity !== 'info' && severity !== 'low';

/** All kinds, attacks first. */
export const KINDS: readonly string[] = [...Object.keys(ATTACKS), ...Object.keys(BENIGN)];

/** Returns the alerts of one variant. The same kind and seed give the same events. */
export function alertsOf(kind: string, seed: number): Detection[] {
  const draw = ATTACKS[kind]?.draw ?? BENIGN[kind];
  if (draw === undefined) throw new RangeError(`there is no kind "${kind}" (kinds: ${KINDS.join(', ')})`);
  const random = seededRandom(seed * 31 + KINDS.indexOf(kind));
  const story: Story = draw(random);
  return analyzeEvents(deliver(random, story), DEFAULT_DETECTION_SETTINGS).filter(isAlert);
}

/** Judges the variants of a kind, with seeds from `first` upwards. */
export function judgeKind(kind: string, first: number, variants: number): Verdict {
  const rules = ATTACKS[kind]?.rules;
  const wrong: number[] = [];
  let alerted = 0;
  let alerts = 0;
  for (let seed = first; seed < first + variants; seed += 1) {
    const found = alertsOf(kind, seed);
    const isFound = rules === undefined ? found.length > 0 : found.some(({ rule }) => rules.includes(rule.id));
    if (isFound) alerted += 1;
    alerts += found.length;
    if (isFound !== (rules !== undefined)) wrong.push(seed);
  }
  return { kind, isAttack: rules !== undefined, variants, alerted, alerts, wrong };
}
