// Sees `input` and `tools`; its last value is the output.
const { detection, evidence } = await tools.detections.get({ id: input.detection });
const DAY_MS = 86_400_000;
const around = (days) => new Date(Date.parse(detection.lastSeen) + days * DAY_MS).toISOString();
const { data: neighbours } =
  detection.hostname === null
    ? { data: [] }
    : await tools.detections.list({ hostname: detection.hostname, from: around(-7), to: around(1), limit: 100 });
const others = neighbours.filter(({ id }) => id !== detection.id);

const reasons = [];
let forAttack = 0;
let forFault = 0;
const attack = (weight, reason) => {
  forAttack += weight;
  reasons.push(`attack: ${reason}`);
};
const fault = (weight, reason) => {
  forFault += weight;
  reasons.push(`fault: ${reason}`);
};

// Distinct values one after the other are tried; the same value again and again is a bug that is hit.
const values = detection.values.map((value) => BigInt(value)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
const steps = values.slice(1).map((value, at) => Number(value - values[at]));
const small = steps.filter((step) => step >= 1 && step <= 16).length;
if (values.length >= 3 && small / steps.length >= 0.8)
  attack(4, `${small} of ${steps.length} steps between values are 1 to 16 bytes`);
else if (values.length >= 3) attack(1, `${detection.valuesTotal} distinct values, but no steady steps`);
else if (detection.crashes >= 3) fault(3, `${detection.crashes} crashes with ${detection.valuesTotal} distinct values`);
if (detection.crashes >= 20) attack(2, `${detection.crashes} crashes in one episode`);
if (detection.suppressedAtLeast > 0)
  attack(1, `the kernel left out at least ${detection.suppressedAtLeast} crashes: faster than it logs`);
const tampering = others.filter(({ rule }) => rule.id === 'detector-tampering');
if (tampering.length > 0) attack(3, 'settings that show evidence were changed on this host in the same days');
const elsewhere = new Set(others.map(({ procname }) => procname).filter((name) => name !== detection.procname));
if (elsewhere.size > 0) attack(1, `other programs of the host are affected too: ${[...elsewhere].join(', ')}`);
if (others.some(({ procname, verdict }) => procname === detection.procname && verdict === 'benign'))
  fault(2, 'an earlier detection of this program was found to be benign');

const total = forAttack + forFault;
const assessment = total === 0 || forAttack === forFault ? 'unclear' : forAttack > forFault ? 'attack' : 'fault';
const confidence = total === 0 ? 0 : Math.round((Math.max(forAttack, forFault) / (total + 1)) * 100) / 100;
const next =
  assessment === 'attack'
    ? [
        'Find who reached the program in these minutes: its access log, connections',
        'Keep a core dump and the binary',
        'Isolate the host when the attempts go on',
      ]
    : assessment === 'fault'
      ? ['Report the crash with its address to the maintainers of the program', 'Create an exception for a known crash']
      : ['Wait for more evidence', 'Look at the program by hand'];

await tools.files.write({
  path: 'report.md',
  contentType: 'text/markdown',
  content: [
    `# ${detection.rule.name}: ${detection.procname ?? 'a program'} on ${detection.hostname ?? 'a host'}`,
    `${detection.id}, severity ${detection.severity}, ${detection.firstSeen} to ${detection.lastSeen}`,
    `**${assessment}**, confidence ${confidence}`,
    reasons.map((reason) => `- ${reason}`).join('\n') || '- nothing speaks for either',
    `## Next\n\n${next.map((step, at) => `${at + 1}. ${step}`).join('\n')}`,
    `${evidence.length} events and ${others.length} other detections of the host were looked at.`,
  ].join('\n\n'),
});
({ detection: detection.id, assessment, confidence, reasons, next });
