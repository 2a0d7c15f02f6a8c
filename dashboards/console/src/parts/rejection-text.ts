import { REJECTIONS, type RejectionReason } from '#schemas/rejection-codes.ts';
import { catalogue } from '../language/catalogue.ts';

/** Reasons for rejected records, by the codes of the API. */
export const REJECTION_TEXT = catalogue('rejections', {
  reasons: {
    empty_record: 'Empty record',
    record_too_large: 'Record too large',
    invalid_utf8: 'Not valid UTF-8',
    malformed_json: 'Malformed JSON',
    nested_too_deep: 'JSON nested too deeply',
    not_an_object: 'Not a JSON object',
    version_missing: 'Version missing',
    version_not_a_string: 'Version is not a string',
    version_unknown: 'Unknown version',
    field_missing: 'Required field missing',
    wrong_type: 'Wrong type',
    not_in_enumeration: 'Value not allowed',
    unknown_variant: 'Unknown event type',
    not_an_integer: 'Not an integer',
    negative_integer: 'Negative integer',
    integer_out_of_range: 'Integer out of range',
    invalid_timestamp: 'Invalid timestamp',
    timestamp_out_of_range: 'Timestamp out of range',
    ambiguous_justification: 'Ambiguous justification',
    frame_truncated: 'Truncated schema registry frame',
    schema_unknown: 'Unknown schema',
    schema_not_ours: 'Not an event schema',
    other_host: 'Key of another host',
    registry_unavailable: 'Schema registry unavailable',
  } as Readonly<Record<RejectionReason, string>>,
  /** The expectation in the wording of the API. */
  detail: (text: string) => text,
} as const);

/** Returns the reason of a rejection. An unknown code is returned unchanged. */
export function rejectionText(code: string): string {
  return isKnown(code) ? REJECTION_TEXT.reasons[code] : code;
}

/** Returns the reason of a rejection with the details in its message, such as the expected type. */
export function rejectionWithDetail({ code, message }: { readonly code: string; readonly message: string }): string {
  if (!isKnown(code)) return message;
  const general = REJECTIONS[code].message;
  const reason = REJECTION_TEXT.reasons[code];
  const added = message.startsWith(general) ? message.slice(general.length) : `: ${message}`;
  const detail = added.startsWith(': ') ? added.slice(2) : added.replace(/^ \((.*)\)$/s, '$1');
  return detail === '' ? reason : `${reason}: ${REJECTION_TEXT.detail(detail)}`;
}

function isKnown(code: string): code is RejectionReason {
  return Object.hasOwn(REJECTIONS, code);
}
