import type { DetectionWithEvidence } from '../detection-types.ts';
import { burstPicture } from './burst-picture.ts';
import { canaryPicture } from './canary-picture.ts';
import { faultsPicture, hostsPicture, placesPicture, settingsPicture } from './lane-picture.ts';
import type { PictureModel } from './picture-model.ts';
import { pointerPicture } from './pointer-picture.ts';

/** Creates the picture of a detection. Undefined if its events contain nothing to show. */
export interface RulePicture {
  readonly picture: (detection: DetectionWithEvidence, whole: boolean) => PictureModel | undefined;
  /** True if it shows the values of the detection, which are then not listed. */
  readonly showsValues?: boolean;
}

/** `signs`: the picture needs other detections, which `SignsSection` fetches. */
const PICTURES: Readonly<Record<string, RulePicture | 'signs'>> = {
  'instruction-pointer-probe': { picture: pointerPicture, showsValues: true },
  'register-value-probe': { picture: pointerPicture, showsValues: true },
  'unmapped-jump': { picture: pointerPicture, showsValues: true },
  'memory-search': { picture: pointerPicture, showsValues: true },
  'stack-canary-probe': { picture: canaryPicture },
  'suppressed-crash-burst': { picture: burstPicture },
  'detector-tampering': { picture: settingsPicture },
  'sensitive-program-crash': { picture: placesPicture },
  'fleet-scan': { picture: hostsPicture },
  'kernel-fault': { picture: faultsPicture, showsValues: true },
  'host-risk': 'signs',
};

/** For user rules, and for rules of newer server versions. */
const GENERAL: RulePicture = { picture: placesPicture };

/** Returns the picture of a rule. The default shows crashes by place. */
export function pictureOf(rule: string): RulePicture | 'signs' {
  return Object.hasOwn(PICTURES, rule) ? (PICTURES[rule] ?? GENERAL) : GENERAL;
}

/** Ids of the rules with a specific picture. */
export const PICTURED_RULES: readonly string[] = Object.keys(PICTURES);
