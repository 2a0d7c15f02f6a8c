/** Descriptions of a scan's movement, by the wording of the rule `instruction-pointer-probe`. */
const MOVES: Readonly<Record<string, string>> = {
  'systematically by a few bytes': 'advanced in small steps',
  'all over its text and hardly ever comes back to a place': 'was somewhere else in the code almost every time',
  'from page to page and stays at one offset in them': 'moved from page to page at one offset',
  'from one unmapped address to another': 'moved between unmapped addresses',
};

const SCAN = new RegExp(
  String.raw`^The instruction pointer of (.+?) moves (${Object.keys(MOVES).join('|')}) from crash to crash \((\d+ distinct addresses) in ([^)]+)\): an attempt to find places to jump to, as blind return-oriented programming does\.`,
);

/** Shortens the message of the rule `instruction-pointer-probe`. Returns other texts unchanged. */
export function scanMessage(message: string): string {
  return message.replace(
    SCAN,
    (_, of: string, moves: string, addresses: string, crashes: string) =>
      `The crash address of ${of} ${MOVES[moves]} over ${crashes} (${addresses}): pattern of a blind-ROP scan for code gadgets.`,
  );
}
