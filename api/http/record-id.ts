/**
 * Ids of events and dead letters are `topic~partition~offset`, which needs no escaping in an address. The command line and
 * people also write them with slashes, as `%2F` in an address: names of topics hold neither character, so both are taken.
 */
export function normalRecordId(id: string): string {
  return id.replaceAll('/', '~');
}
