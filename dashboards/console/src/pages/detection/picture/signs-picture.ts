import type { Answer } from '../../../api/client.ts';
import { PARTS_TEXT } from '../../../parts/text.ts';
import { visible } from '../../../parts/visible.ts';
import { DETECTION_TEXT } from '../text.ts';
import { type LaneItem, lanesOf } from './lane-picture.ts';
import type { PictureModel } from './picture-model.ts';

const TEXT = DETECTION_TEXT.lanes;

/** Shows the detections that contribute to a risk over time, one lane per sign. */
export function signsPicture(signs: Answer<'get', '/api/detections/{id}/signs'>['data']): PictureModel | undefined {
  const items = signs
    .flatMap(({ rule, procname, points, detections }) =>
      detections.map((one): LaneItem => {
        const lane = visible(procname === null ? rule.name : DETECTION_TEXT.related.name(rule.name, procname));
        const lines = [lane, PARTS_TEXT.severities[one.severity], TEXT.signPoints(points)];
        const opens = { kind: 'detection', id: one.id } as const;
        return { lane, mark: { seconds: Date.parse(one.lastSeen) / 1_000, shape: 'dot', lines, opens } };
      }),
    )
    .sort((a, b) => a.mark.seconds - b.mark.seconds);
  if (items.length === 0) return undefined;
  const { names, ...lanes } = lanesOf(items);
  return {
    title: TEXT.signs,
    ...lanes,
    bands: [],
    references: [],
    legend: [{ symbol: 'dot', text: TEXT.signLegend }],
    summary: TEXT.signsSummary(items.length, names.length),
  };
}
