import type { Episode } from '../episode.ts';
import type { Host } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';
import { HALF_LIFE_SECONDS, type RiskDetection } from './score.ts';

/**
 * Maximum number of signs kept per host, and of detections per sign. Beyond the first limit, the oldest sign is
 * dropped.
 */
const MAX_SIGNS = 16;
const MAX_DETECTIONS = 2;
/** Numbers per detection: its id in three parts, its points, its first and last second. */
const FIELDS = 6;
const POINTS = 3;
const FIRST = 4;
const LAST = 5;

/** A detection with the values that contribute to the score of its host. */
export interface SignDetection extends RiskDetection {
  readonly id: string;
}

/**
 * Stores the current state of the detection with its points. Returns the earliest second at which the score of the host
 * may be higher than before. Undefined if the contribution of the detection is unchanged.
 */
export function rememberSign(host: Host, rule: string, episode: Episode, points: number): number | undefined {
  const { key, id } = signOf(rule, episode);
  let numbers = host.memory?.get(key);
  if (numbers === undefined) {
    forgetOldestSign(host, rule);
    numbers = ruleMemory(host, key);
  }
  const first = episode.first.seconds;
  const last = episode.last.seconds;
  const at = findDetection(numbers, id);
  if (at === undefined) {
    numbers.push(...id, points, first, last);
    dropLeast(numbers);
    return first;
  }
  const hadPoints = numbers[at + POINTS];
  const hadFirst = numbers[at + FIRST];
  const hadLast = numbers[at + LAST] as number;
  numbers[at + POINTS] = points;
  numbers[at + FIRST] = first;
  numbers[at + LAST] = last;
  if (hadPoints !== points || hadFirst !== first) return first;
  return last > hadLast ? hadLast + 1 : undefined;
}

/** The key under which a detection is stored, and its id as numbers. */
interface Sign {
  readonly episode: Episode;
  readonly rule: string;
  readonly key: string;
  readonly id: readonly number[];
}

/** Cache by episode. Each event that extends the episode reads it. */
const signs = new WeakMap<Episode, Sign>();
/** The sign used last. Nearly every event of an attack extends the same detection. */
let latest: Sign | undefined;

function signOf(rule: string, episode: Episode): Sign {
  if (latest?.episode === episode && latest.rule === rule) return latest;
  let sign = signs.get(episode);
  if (sign?.rule !== rule) {
    sign = { episode, rule, key: `${rule} ${episode.rule} ${episode.procname ?? ''}`, id: idNumbers(episode.id) };
    signs.set(episode, sign);
  }
  latest = sign;
  return sign;
}

/** Returns all detections stored for the host under this rule. */
export function signsOf(host: Host, rule: string): SignDetection[] {
  const found: SignDetection[] = [];
  for (const [key, numbers] of host.memory ?? []) {
    if (!key.startsWith(`${rule} `)) continue;
    const sign = key.slice(rule.length + 1);
    for (let at = 0; at < numbers.length; at += FIELDS) {
      const [points, first, last] = numbers.slice(at + POINTS) as [number, number, number];
      found.push({ sign, id: idText(numbers, at), points, first, last });
    }
  }
  return found;
}

function forgetOldestSign(host: Host, rule: string): void {
  const keys = (host.memory?.rules ?? []).filter((key) => key.startsWith(`${rule} `));
  if (keys.length >= MAX_SIGNS) host.memory?.delete(keys[0] as string);
}

/**
 * Drops the detection with the lowest contribution. All decay at the same rate, so their order does not change later.
 */
function dropLeast(numbers: number[]): void {
  if (numbers.length <= MAX_DETECTIONS * FIELDS) return;
  let least = 0;
  for (let at = FIELDS; at < numbers.length; at += FIELDS) if (rank(numbers, at) < rank(numbers, least)) least = at;
  numbers.splice(least, FIELDS);
}

function rank(numbers: readonly number[], at: number): number {
  return Math.log2(numbers[at + POINTS] as number) + (numbers[at + LAST] as number) / HALF_LIFE_SECONDS;
}

function findDetection(numbers: readonly number[], id: readonly number[]): number | undefined {
  for (let at = 0; at < numbers.length; at += FIELDS)
    if (numbers[at] === id[0] && numbers[at + 1] === id[1] && numbers[at + 2] === id[2]) return at;
  return undefined;
}

/** Hexadecimal digits in each part of an id. Each part is exact as a number. */
const DIGITS = [12, 12, 8];
const PREFIX = 'det_';

function idNumbers(id: string): number[] {
  let at = PREFIX.length;
  return DIGITS.map((digits) => {
    at += digits;
    return Number.parseInt(id.slice(at - digits, at), 16);
  });
}

function idText(numbers: readonly number[], at: number): string {
  return PREFIX + DIGITS.map((digits, i) => (numbers[at + i] as number).toString(16).padStart(digits, '0')).join('');
}
