-- sha256 ec02ebbbf4dacaf3e640cf51f14952767ad0a46c2a1f569ac3d5506ee411779c
-- How a trapped access went: Read or Write. Nothing for events that were stored before.
ALTER TABLE {database}.events ADD COLUMN IF NOT EXISTS access LowCardinality(Nullable(String)) AFTER register;
