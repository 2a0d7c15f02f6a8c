import { SegmentedControl, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Section } from '../../../parts/section.tsx';
import type { DetectionWithEvidence } from '../detection-types.ts';
import { DETECTION_TEXT } from '../text.ts';
import { Picture } from './picture.tsx';
import type { RulePicture } from './pictures.ts';

const { plot: TEXT, picture: PICTURE, lanes: LANES } = DETECTION_TEXT;
const SCALES = [
  { value: 'values', label: TEXT.scales.values },
  { value: 'mapping', label: TEXT.scales.mapping },
];

/** The picture of the evidence of a detection. */
export function PictureSection({
  of,
  kind: { picture },
}: {
  readonly of: DetectionWithEvidence;
  readonly kind: RulePicture;
}) {
  const [scale, setScale] = useState('values');
  const model = useMemo(() => picture(of, scale === 'mapping'), [picture, of, scale]);
  return (
    <Section
      title={model?.title ?? LANES.events}
      actions={
        model?.hasMapping === true && (
          <SegmentedControl size="xs" data={SCALES} value={scale} onChange={setScale} aria-label={TEXT.scale} />
        )
      }
    >
      {model === undefined ? (
        <Text size="sm" c="dimmed">
          {PICTURE.noData}
        </Text>
      ) : (
        <>
          {model.caption !== undefined && (
            <Text size="sm" c="dimmed" mb={4}>
              {model.caption}
            </Text>
          )}
          <Picture model={model} />
          {!of.evidenceComplete && (
            <Text size="xs" c="dimmed" mt={4}>
              {PICTURE.newestOnly(of.evidence.length)}
            </Text>
          )}
        </>
      )}
    </Section>
  );
}
