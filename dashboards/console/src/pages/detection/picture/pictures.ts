import type { DetectionWithEvidence } from '../detection-types.ts';
import { burstPicture } from './burst-picture.ts';
import { canaryPicture } from './canary-picture.ts';
import { hostsPicture, placesPicture, settingsPicture } from './lane-picture.ts';
import type { PictureModel } from './picture-model.ts';
import { pointerPicture } from './pointer-picture.ts';

/** Makes the picture of a detection; undefined when its events have nothing to show. */
export interface RulePicture {
  readonly picture: (detection: DetectionWithEvidence, whole: boolean) => PictureModel | undefined;
  /** It shows the values of the detection, which are not listed then. */
  readonly showsValues?: boolean;
}

/** `signs`: the picture needs other detections, which `SignsSection` reads. */
const PICTURES: Readonly<Record<string, RulePicture | 'signs'>> = {
  'instruction-pointer-probe': { picture: pointerPicture, showsValues: true },
  'register-value-probe': { picture: pointerPicture, showsValues: true },
  'unmapped-jump': { picture: pointerPicture, showsValues: true },
  'stack-canary-probe': { picture: canaryPicture },
  'suppressed-crash-burst': { picture: burstPicture },
  'detector-tampering': { picture: settingsPicture },
  'sensitive-program-crash': { picture: placesPicture },
  'fleet-scan': { picture: hostsPicture },
  'host-risk': 'signs',
};

/** For rules of users, and of newer versions of the server. */
const GENERAL: RulePicture = { picture: placesPicture };

/** The picture of a rule; a rule without one of its own has that of its crashes by place. */
export function pictureOf(rule: string): RulePicture | 'signs' {
  return Object.hasOwn(PICTURES, rule) ? (PICTURES[rule] ?? GENERAL) : GENERAL;
}

/** Ids of the rules that have a picture of their own. */
export const PICTURED_RULES: readonly string[] = Object.keys(PICTURES);
