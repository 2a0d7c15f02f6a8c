import { describe, expect, it } from 'vitest';
import { belowDestination, serverDestination } from '#deploy/backup/destination.ts';

const KEYS = { accessKeyId: 'key', secretAccessKey: "se'cret" };

describe('the destination of a ClickHouse server', () => {
  it.each([
    ['disk:backups', undefined, "Disk('backups', 'events')"],
    ['disk:backups/a/b/', undefined, "Disk('backups', 'a/b/events')"],
    ['file:/var/backups', undefined, "File('/var/backups/events')"],
    ["file:/it's", undefined, "File('/it\\'s/events')"],
    ['s3:https://s3.example.org/bucket/a', undefined, "S3('https://s3.example.org/bucket/a/events')"],
    ['s3:https://s3.example.org/bucket', KEYS, "S3('https://s3.example.org/bucket/events', 'key', 'se\\'cret')"],
  ])('%s', (text, keys, expected) => {
    expect(serverDestination(text, keys)('events')).toBe(expected);
  });

  it.each(['backups', 'file:relative', 's3:bucket', 'disk:', "disk:x'y/z"])('rejects %s', (text) => {
    expect(() => serverDestination(text, undefined)).toThrow('is not a destination');
  });

  it('is different for each backup', () => {
    expect(belowDestination('disk:backups/a/', 'one')).toBe('disk:backups/a/one');
    expect(serverDestination(belowDestination('disk:backups', 'one'), undefined)('events')).toBe(
      "Disk('backups', 'one/events')",
    );
  });
});
