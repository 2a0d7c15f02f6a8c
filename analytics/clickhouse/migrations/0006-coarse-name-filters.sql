-- sha256 07a46351ac5ecfa34cbffe3b51829d589c3e178a141d0181c73d06fed4ec8328
-- A second Bloom filter for names, of 524,288 events instead of 8,192. The filters of 8,192 events hold nearly the same names all over a day, so a name that
-- one of them passes by mistake is passed by many, and a list of a host that is not there read up to a sixth of all events. The coarse filters are wrong for one
-- name in 10,000, and leave most of the fine ones unread. With 1,000,000,000 events they have 0.5 MB. Merges make them, inserts do not.
-- Existing parts get them with their next merge, or at once by ALTER TABLE events MATERIALIZE INDEX hostname_coarse (and so on).
ALTER TABLE {database}.events ADD INDEX IF NOT EXISTS hostname_coarse hostname TYPE bloom_filter(0.0001) GRANULARITY 512;
ALTER TABLE {database}.events ADD INDEX IF NOT EXISTS procname_coarse procname TYPE bloom_filter(0.0001) GRANULARITY 512;
ALTER TABLE {database}.events ADD INDEX IF NOT EXISTS file_coarse file TYPE bloom_filter(0.0001) GRANULARITY 512;
