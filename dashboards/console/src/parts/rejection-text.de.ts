import type { Translation } from '../language/catalogue.ts';
import type { REJECTION_TEXT } from './rejection-text.ts';

export const REJECTIONS_GERMAN: Translation<typeof REJECTION_TEXT> = {
  reasons: {
    empty_record: 'Leerer Datensatz',
    record_too_large: 'Datensatz zu groß',
    invalid_utf8: 'Kein gültiges UTF-8',
    malformed_json: 'Fehlerhaftes JSON',
    nested_too_deep: 'JSON zu tief verschachtelt',
    not_an_object: 'Kein JSON-Objekt',
    version_missing: 'Version fehlt',
    version_not_a_string: 'Version ist kein Text',
    version_unknown: 'Unbekannte Version',
    field_missing: 'Pflichtfeld fehlt',
    wrong_type: 'Falscher Typ',
    not_in_enumeration: 'Wert nicht zulässig',
    unknown_variant: 'Unbekannter Ereignistyp',
    not_an_integer: 'Keine ganze Zahl',
    negative_integer: 'Negative ganze Zahl',
    integer_out_of_range: 'Ganze Zahl außerhalb des Bereichs',
    invalid_timestamp: 'Ungültiger Zeitstempel',
    timestamp_out_of_range: 'Zeitstempel außerhalb des Bereichs',
    ambiguous_justification: 'Mehrdeutige Begründung',
    frame_truncated: 'Abgeschnittener Frame der Schema Registry',
    schema_unknown: 'Unbekanntes Schema',
    schema_not_ours: 'Kein Ereignisschema',
    other_host: 'Schlüssel eines anderen Hosts',
    registry_unavailable: 'Schema Registry nicht verfügbar',
  },
  detail: (text) => {
    for (const [english, german] of DETAILS) if (english.test(text)) return text.replace(english, german);
    return text;
  },
};

/** Expectations of the record checks (`schemas/events`), with their German text. */
const DETAILS: readonly (readonly [english: RegExp, german: string])[] = [
  [/^expected (.*) or (.*)$/, 'erwartet: $1 oder $2'],
  [/^expected (.*)$/, 'erwartet: $1'],
  [/^one of (.*)$/, 'erwartet: $1'],
  [/^at most (\d+) levels$/, 'höchstens $1 Ebenen'],
  [/^(\d+) bytes, at most (\d+)$/, '$1 Byte, höchstens $2'],
  [/^schema id (\d+)$/, 'Schema-ID $1'],
  [/^FullEvents, RegisterValues or EventCount$/, 'FullEvents, RegisterValues oder EventCount'],
  [/^(.*) is expected$/, 'erwartet: $1'],
];
