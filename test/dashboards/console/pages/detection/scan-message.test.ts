import { expect, test } from 'vitest';
import { openEpisode } from '#analytics/detections/episode.ts';
import { WITH_OTHERS } from '#analytics/detections/evidence/instruction-pointer.ts';
import { describeEpisode } from '#analytics/detections/message.ts';
import { scanMessage } from '#dashboards/console/src/pages/detection/scan-message.ts';

/** Returns the message of the rule for a scan with these details. */
function messageOf(detail: readonly string[], suppressed = 0): string {
  const first = { seconds: 1_772_323_200, nanos: 0 };
  const origin = {
    rule: 'instruction-pointer-probe',
    hostname: 'web-1',
    program: 'nginx',
    register: 'ip',
    place: '',
    first,
    value: '0x1',
  };
  return describeEpisode({
    ...openEpisode(origin, { procname: 'nginx', file: null }, 1),
    crashes: 20,
    suppressed,
    detail,
  });
}

test.each([
  ['steps', 'advanced in small steps'],
  ['scattered', 'was somewhere else in the code almost every time'],
  ['pages', 'moved from page to page at one offset'],
  ['jumps', 'moved between unmapped addresses'],
])('%s', (moves, text) => {
  for (const suppressed of [0, 5])
    expect(scanMessage(messageOf(['', moves], suppressed))).toMatch(
      new RegExp(
        `^The crash address of nginx on web-1 ${text} over .*20 .*\\(0 distinct addresses\\): pattern of a blind-ROP scan for code gadgets\\.$`,
      ),
    );
});

test('keeps the objections to a scan', () => {
  expect(scanMessage(messageOf(['', 'steps', '', '', WITH_OTHERS]))).toContain('gadgets. Several other programs');
});
