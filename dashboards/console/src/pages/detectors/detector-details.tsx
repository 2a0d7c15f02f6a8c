import { numberText } from '../../language/numbers.ts';
import { DetailsDialog } from '../../parts/details-dialog.tsx';
import { durationText } from '../../parts/execution/duration.ts';
import { Facts } from '../../parts/facts.tsx';
import { HostLink } from '../../parts/host-link.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { type Detector, sortedSettings } from './detector.ts';
import { DetectorStateBadge } from './detector-state-badge.tsx';
import { DETECTORS_TEXT } from './text.ts';

const TEXT = DETECTORS_TEXT.details;
const { revocation, none, never } = DETECTORS_TEXT;

/** Details of a detector, with a button to revoke it. Closed while `detector` is undefined. */
export function DetectorDetails({
  detector,
  onClose,
  onRevoke,
}: {
  readonly detector: Detector | undefined;
  readonly onClose: () => void;
  readonly onRevoke: (hostname: string) => Promise<void>;
}) {
  if (detector === undefined) return null;
  const { hostname } = detector;
  return (
    <DetailsDialog
      title={TEXT.title(visible(hostname))}
      onClose={onClose}
      action={{
        text: revocation.action,
        destructive: true,
        question: revocation.question(visible(hostname)),
        confirm: revocation.confirm,
        consequence: revocation.consequence,
        run: () => onRevoke(hostname),
      }}
    >
      <DetectorFacts detector={detector} />
    </DetailsDialog>
  );
}

function DetectorFacts({ detector }: { readonly detector: Detector }) {
  const { lastSeenAt } = detector;
  return (
    <Facts
      facts={[
        [TEXT.state, <DetectorStateBadge key="state" of={detector} />],
        [TEXT.host, <HostLink key="host" hostname={detector.hostname} />],
        [TEXT.lastReport, lastSeenAt === null ? never : <TimeText key="seen" at={lastSeenAt} />],
        [TEXT.lag, given(detector.lagMs, (ms) => (ms === 0 ? '0 s' : TEXT.lagOf(durationText(ms))))],
        [TEXT.lost, countOf(detector.lostRecords, TEXT.lostOf)],
        [TEXT.dropped, countOf(detector.droppedEvents, TEXT.droppedOf)],
        [TEXT.refused, countOf(detector.refusedEvents, TEXT.refusedOf)],
        [TEXT.version, detector.version ?? none],
        [TEXT.source, detector.source ?? none],
        [TEXT.settings, <SettingLines key="settings" settings={detector.settings} />],
        [TEXT.enrolled, <TimeText key="enrolled" at={detector.enrolledAt} />],
        [
          TEXT.key,
          <span key="key" className="tl-mono">
            {detector.keyId}
          </span>,
        ],
      ]}
    />
  );
}

function SettingLines({ settings }: Pick<Detector, 'settings'>) {
  const entries = sortedSettings(settings);
  if (entries.length === 0) return none;
  return entries.map(([name, value]) => (
    <div key={name} className="tl-mono">
      {visible(`${name} = ${value}`)}
    </div>
  ));
}

/** Returns a number with its description, or the number alone if nothing was lost. */
function countOf(count: number | null, text: (count: string) => string): string {
  return given(count, (some) => (some === 0 ? '0' : text(numberText(some))));
}

function given(value: number | null, text: (value: number) => string): string {
  return value === null ? none : text(value);
}
