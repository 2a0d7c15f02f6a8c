import type { ProcessFacts } from '#schemas/events/process-facts.ts';
import { detachedCopy } from './detached-copy.ts';

/** Names of the values, in storage order. */
export const AGREED_NAMES = ['executable', 'buildId', 'uid', 'parent', 'unit', 'container', 'pod'] as const;
type AgreedName = (typeof AGREED_NAMES)[number];

/**
 * Facts about the process on which several crashes agree. If two crashes disagree on a value, it stays unknown from
 * then on: absent rather than wrong.
 */
export interface AgreedProcess {
  /**
   * Values as strings, in the order of `AGREED_NAMES`; null if unknown. Immutable: a change creates a new object, so
   * objects can be shared.
   */
  readonly values: readonly (string | null)[];
  /** Bit `i` is set if crashes disagree on value `i`. */
  readonly conflicts: number;
}

/** The agreed values in the form that a detection contains. */
export type AgreedValues = { readonly [Name in Exclude<AgreedName, 'uid'>]: string | null } & {
  readonly uid: number | null;
};

/**
 * Index from which values come from the cgroup path. The path is always known, so a crash without such a value has no
 * unit, container or pod.
 */
const FIRST_OF_CGROUP = 4;
/** Maximum length in characters. A longer value counts as a conflict, because its sender controls the length. */
const MAX_LENGTH = 512;

/** Merges the facts of one more crash. Returns `agreed` itself if nothing changed. */
export function agreeOn(agreed: AgreedProcess | undefined, facts: ProcessFacts): AgreedProcess | undefined {
  const said = valuesOf(facts);
  if (said.every((value) => value === null)) return agreed;
  const values = [...(agreed?.values ?? said.map(() => null))];
  let conflicts = agreed?.conflicts ?? 0;
  let changed = agreed === undefined;
  for (let i = 0; i < said.length; i += 1) {
    const value = said[i] ?? null;
    const known = values[i] ?? null;
    if (known === value || (conflicts & (1 << i)) !== 0) continue;
    const isSilent = value === null && i < FIRST_OF_CGROUP;
    if (isSilent) continue;
    const isFirst = known === null && (i < FIRST_OF_CGROUP || agreed === undefined);
    if (isFirst && value !== null && value.length <= MAX_LENGTH) values[i] = detachedCopy(value, MAX_LENGTH);
    else {
      values[i] = null;
      conflicts |= 1 << i;
    }
    changed = true;
  }
  return changed ? { values, conflicts } : agreed;
}

/** Returns the values in the form that a detection contains. */
export function agreedValues(agreed: AgreedProcess | undefined): AgreedValues {
  const [executable = null, buildId = null, uid = null, parent = null, unit = null, container = null, pod = null] =
    agreed?.values ?? [];
  return { executable, buildId, uid: uid === null ? null : Number(uid), parent, unit, container, pod };
}

/** Memory cost, in numbers of 8 bytes. */
export function weighAgreed({ values }: AgreedProcess): number {
  let weight = 10;
  for (const value of values) if (value !== null) weight += 3 + value.length / 8;
  return weight;
}

function valuesOf({ executable, buildId, uid, unit, containerId, podUid, ...parent }: ProcessFacts): (string | null)[] {
  const { parentExecutable, parentName } = parent;
  return [
    executable,
    buildId,
    uid === null ? null : String(uid),
    parentExecutable ?? parentName,
    unit,
    containerId,
    podUid,
  ];
}
