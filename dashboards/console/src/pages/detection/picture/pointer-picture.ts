import { BINARY_STEPS } from '../../../parts/charts/axis-labels.ts';
import type { DetectionWithEvidence } from '../detection-types.ts';
import { ACCESSED, pointerView } from '../pointer-view.ts';
import { DETECTION_TEXT } from '../text.ts';
import type { PictureModel } from './picture-model.ts';

const TEXT = DETECTION_TEXT.plot;

/**
 * Shows the values of a register over time, relative to the mapping that contains them. `whole`: the axis covers the
 * whole mapping.
 */
export function pointerPicture(detection: DetectionWithEvidence, whole: boolean): PictureModel | undefined {
  const register = detection.register ?? 'ip';
  const view = pointerView(detection.evidence, register);
  if (view === undefined) return undefined;
  const { points, crashes, unlogged, mapping, base, elsewhere } = view;
  const offsets = points.map(({ offset }) => offset);
  const [lowest, highest] = [Math.min(...offsets), Math.max(...offsets)];
  const low = whole ? 0 : lowest;
  const high = whole && mapping !== undefined ? mapping.size : highest;
  const room = Math.max((high - low) * 0.06, 2);
  const unloggedCrashes = unlogged.reduce((sum, { count }) => sum + count, 0);
  const hexText = (offset: number) => `0x${Math.round(offset).toString(16)}`;
  return {
    title: titleOf(register),
    caption: [
      register === ACCESSED ? TEXT.accessedOffset(base) : TEXT.offset(register, base),
      ...(mapping === undefined ? [] : [mapping.file ?? TEXT.unnamedMapping, sizeText(mapping.size)]),
      ...(mapping !== undefined && mapping.places > 1 ? [TEXT.places(mapping.places)] : []),
    ].join(', '),
    axis: {
      kind: 'linear',
      low: low - room,
      high: high + room,
      steps: BINARY_STEPS,
      label: (offset) => `${offset < 0 ? '-' : '+'}${hexText(Math.abs(offset))}`,
    },
    marks: points.map(({ seconds, offset, kind, address, place, id }) => ({
      seconds,
      y: offset,
      shape: kind === 'trap' ? 'dot' : 'ring',
      lines: [address, ...(place === address ? [] : [place]), kind === 'trap' ? TEXT.trapLine : TEXT.signalLine],
      opens: { kind: 'event', id },
    })),
    bands: unlogged.map(({ from, to, count }) => ({ from, to, label: TEXT.unloggedLabel(count) })),
    references:
      mapping === undefined
        ? []
        : [
            { y: 0, label: TEXT.mappingStart },
            { y: mapping.size, label: TEXT.mappingEnd },
          ].filter(({ y }) => y >= low - room && y <= high + room),
    legend: [
      ...(points.some(({ kind }) => kind === 'trap') ? [{ symbol: 'dot' as const, text: TEXT.trap }] : []),
      ...(points.some(({ kind }) => kind === 'signal') ? [{ symbol: 'ring' as const, text: TEXT.signal }] : []),
      ...(unloggedCrashes > 0 ? [{ symbol: 'band' as const, text: TEXT.unloggedPeriod(unloggedCrashes) }] : []),
      ...(elsewhere > 0 ? [{ symbol: 'none' as const, text: TEXT.elsewhere(elsewhere, mapping !== undefined) }] : []),
    ],
    hasMapping: mapping !== undefined,
    summary: [
      TEXT.summary(register === ACCESSED ? TEXT.accessed : register, crashes, hexText(lowest), hexText(highest)),
      unloggedCrashes > 0 ? TEXT.unlogged(unloggedCrashes) : '',
      TEXT.table,
    ].join(''),
  };
}

function titleOf(register: string): string {
  if (register === ACCESSED) return TEXT.accessedOverTime;
  return register === 'ip' ? TEXT.instructionPointer : TEXT.register(register);
}

function sizeText(bytes: number): string {
  if (bytes >= 2 ** 20) return `${Number((bytes / 2 ** 20).toPrecision(3))} MiB`;
  return bytes >= 1_024 ? `${Number((bytes / 1_024).toPrecision(3))} KiB` : TEXT.bytes(bytes);
}
