import { type Finding, fine, look, wrong } from '../check.ts';

export interface Certificate {
  /** The setting that refers to it, and its address or file. */
  readonly name: string;
  readonly validFrom: Date;
  readonly validTo: Date;
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 21;

/** Checks that certificates are valid for at least three more weeks. */
export function judgeCertificates(certificates: readonly Certificate[], unread: readonly string[], now: Date): Finding {
  const days = ({ validTo }: Certificate) => Math.floor((validTo.getTime() - now.getTime()) / DAY_MS);
  const invalid = certificates.filter(({ validFrom, validTo }) => validTo <= now || validFrom > now);
  if (invalid.length > 0)
    return wrong(
      invalid
        .map((one) =>
          one.validTo <= now
            ? `${one.name} ended on ${dayOf(one.validTo)}`
            : `${one.name} begins on ${dayOf(one.validFrom)}`,
        )
        .join(', '),
      'replace them, or check the clock of this machine',
    );
  if (unread.length > 0) return look(`cannot be read: ${unread.join(', ')}`, 'check the address or file');
  if (certificates.length === 0) return fine('no connection uses TLS');
  const [first] = certificates.toSorted((a, b) => a.validTo.getTime() - b.validTo.getTime());
  if (first === undefined) return fine('none');
  const found = `${certificates.length} valid; ${first.name} ends first, in ${days(first)} days`;
  const soon = certificates.filter((one) => days(one) < SOON_DAYS);
  return soon.length === 0
    ? fine(found)
    : look(soon.map((one) => `${one.name} ends in ${days(one)} days`).join(', '), 'replace them before that');
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
