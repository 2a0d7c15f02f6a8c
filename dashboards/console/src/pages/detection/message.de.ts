import { numberText } from '../../language/numbers.ts';
import { counted } from '../../parts/counted.ts';
import { RULE_NAMES_GERMAN } from '../../parts/rules/rule-names-text.de.ts';
import type { ShippedRule } from '../../parts/rules/shipped-rule.ts';

type Groups = Readonly<Record<string, string>>;
type Form = readonly [english: RegExp, german: (groups: Groups) => string];

const CRASHES = String.raw`(?<crashes>\d+) crash(?:es)?(?:, and at least (?<unlogged>\d+) more that the kernel did not log)?`;
const WHERE = '(?: on (?<host>.+))?';

const JUMPS = 'ein Versuch, Sprungziele zu finden';
const LAYOUT = 'ein Versuch, das Speicherlayout zu erraten';
const MOVES: Groups = {
  'systematically by a few bytes': 'wandert von Absturz zu Absturz systematisch um wenige Byte',
  'all over its text and hardly ever comes back to a place':
    'wandert von Absturz zu Absturz durch den ganzen Programmcode und kehrt kaum je an eine Stelle zurück',
  'from page to page and stays at one offset in them':
    'wandert von Absturz zu Absturz von einer Speicherseite zur nächsten und bleibt in ihnen an einer Stelle',
  'from one unmapped address to another':
    'springt von Absturz zu Absturz von einer nicht belegten Adresse zur nächsten',
};
const SPREADS: Groups = {
  'a few bytes apart': 'mit wenigen Byte Abstand',
  'hardly any of them twice': 'kaum eine davon zweimal',
};
const ABORTS: Groups = {
  'aborted again and again in quick succession': 'brach in schneller Folge immer wieder ab',
  'trapped again and again at one place': 'löste an einer Stelle immer wieder eine Ausnahme des Prozessors aus',
  'aborted again and again': 'brach immer wieder ab',
};

const FAULTS: Groups = {
  'it refused to execute memory of a program, to which exploits redirect it':
    'Er hat abgelehnt, Speicher eines Programms auszuführen, wohin ihn Exploits umleiten',
  'it refused to execute data, as after a function pointer was overwritten':
    'Er hat abgelehnt, Daten auszuführen, wie nach dem Überschreiben eines Funktionszeigers',
  'it refused to use memory of a program outside of its copy functions':
    'Er hat abgelehnt, Speicher eines Programms außerhalb seiner Kopierfunktionen zu verwenden',
  'it refused to copy beyond the bounds of an object':
    'Er hat abgelehnt, über die Grenzen eines Objekts hinaus zu kopieren',
  'a check of its control flow or of its stack failed':
    'Eine Prüfung seines Kontrollflusses oder seines Stacks ist fehlgeschlagen',
  'it jumped to an unmapped address of user space':
    'Er ist an eine nicht belegte Adresse des Benutzerbereichs gesprungen',
  'it found overwritten memory, or an object that was used after its release':
    'Er hat überschriebenen Speicher gefunden oder ein Objekt, das nach seiner Freigabe verwendet wurde',
  'an invalid access or a failed assertion, mostly a bug in a driver or file system':
    'Ein ungültiger Zugriff oder eine fehlgeschlagene Zusicherung, meist ein Fehler in einem Treiber oder Dateisystem',
};

/** Patterns of the messages of each rule, with their German text. */
const FORMS: Readonly<Record<ShippedRule, readonly Form[]>> = {
  'detector-tampering': [
    [
      /^The setting (?<key>\S*?)(?: on (?<host>.+))?, which the detector had set to "(?<expected>[^"]*)", is now "(?<observed>[^"]*)": crashes may leave no evidence from then on\.$/s,
      ({ key, host, expected, observed }) =>
        `Die Einstellung ${key}${place(host)}, vom Detektor auf „${expected}“ gesetzt, ist jetzt „${observed}“: Abstürze hinterlassen seitdem womöglich keine Belege.`,
    ],
  ],
  'fleet-scan': [
    [
      new RegExp(
        String.raw`^(?<program>.+) crashes on (?<total>\d+) hosts \((?<hosts>.*?)(?: and (?<more>\d+) more)?\) at (?<distinct>\d+) places of (?<file>.+?)(?: \(build (?<build>\S+)\))? in ${CRASHES}, (?<spread>a few bytes apart|hardly any of them twice): an attempt to find places to jump to, spread over hosts of one binary\.$`,
        's',
      ),
      ({ program, total, hosts, more, distinct, file, build, spread, ...count }) =>
        `${name(program)} stürzt auf ${number(total)} Hosts ab (${hosts}${more === undefined ? '' : ` und ${number(more)} weitere`}): ${crashes(count)} an ${number(distinct)} Stellen von ${file === 'its binary' ? 'seiner Programmdatei' : file}${build === undefined ? '' : ` (Build ${build})`}, ${SPREADS[spread ?? '']}. Das ist ${JUMPS}, verteilt über Hosts mit derselben Programmdatei.`,
    ],
  ],
  'host-risk': [
    [
      /^The signs(?: on (?<host>.+))? add up to a risk score of (?<score>[\d.]+) \((?<normalised>[\d.]+) of 100\): (?<signs>.*)\.$/s,
      ({ host, score, normalised, signs = '' }) =>
        `Die Anzeichen${place(host)} ergeben zusammen einen Risikowert von ${number(score)} (${number(normalised)} von 100): ${signs.split(', ').map(sign).join(', ')}.`,
    ],
  ],
  'instruction-pointer-probe': [
    [
      new RegExp(
        String.raw`^The instruction pointer of (?<program>.+?)${WHERE} moves (?<moves>${Object.keys(MOVES).join('|')}) from crash to crash \((?<distinct>\d+) distinct addresses in ${CRASHES}\): an attempt to find places to jump to, as blind return-oriented programming does\.(?<layouts> Each crash has a memory layout of its own, .+? leave the same trace\.)?(?<revisited> By now the crashes come back .+? do\.)?(?<others> Several other programs .+ test suite\.)?$`,
        's',
      ),
      ({ program, host, moves, distinct, layouts, revisited, others, ...count }) =>
        `Der Befehlszeiger von ${name(program, true)}${place(host)} ${MOVES[moves ?? '']} (${number(distinct)} verschiedene Adressen, ${crashes(count)}): ${JUMPS}, wie bei Blind Return-Oriented Programming.${layouts === undefined ? '' : ' Jeder Absturz hat ein eigenes Speicherlayout, auf das ein Scan nicht zielen kann: Eine beschädigte Datei, defekter Speicher oder viele Builds eines Namens hinterlassen dieselbe Spur.'}${revisited === undefined ? '' : ' Inzwischen kehren die Abstürze an ihre Stellen zurück, wie bei einem Programm, das getestet wird.'}${others === undefined ? '' : ' Auch mehrere andere Programme des Hosts stürzen an jeweils eigenen Stellen ab, wie bei einem Fehler der Maschine oder in einer Testsuite.'}`,
    ],
  ],
  'kernel-fault': [
    [
      new RegExp(
        String.raw`^The kernel${WHERE} failed (?:(?<own>in its own threads or in interrupts)|while it worked for (?<program>.+?)) \((?<faults>\d+) faults?, (?<places>\d+) distinct places?\): (?<meaning>${Object.keys(FAULTS).join('|')})\. The kernel reports "(?<report>.*)"\.(?<crashed> The program had crashed before\.)?$`,
        's',
      ),
      ({ host, own, program, faults, places, meaning, report, crashed }) =>
        `Der Kernel${place(host)} ist ${own === undefined ? `bei der Arbeit für ${name(program, true)}` : 'in eigenen Threads oder in Interrupts'} ausgefallen (${number(faults)} Fehler an ${counted(Number(places), 'Stelle', 'Stellen')}). ${FAULTS[meaning ?? '']}. Er meldet „${report}“.${crashed === undefined ? '' : ' Das Programm war zuvor abgestürzt.'}`,
    ],
  ],
  'memory-search': [
    [
      new RegExp(
        String.raw`^(?<program>.+?)${WHERE} jumps to (?<distinct>\d+) addresses that are whole pages apart, at equal distances \(${CRASHES}\): an attempt to find code in its memory layout\.$`,
        's',
      ),
      ({ program, host, distinct, ...count }) =>
        `${name(program)}${place(host)} springt an ${counted(Number(distinct), 'Adresse', 'Adressen')}, die jeweils um gleich viele ganze Speicherseiten auseinanderliegen (${crashes(count)}): ein Versuch, Code im Speicherlayout zu finden.`,
    ],
    [
      new RegExp(
        String.raw`^One instruction of (?<program>.+?)${WHERE} uses (?<distinct>\d+) addresses that are whole pages apart, (?<spread>at equal distances|all over one memory layout) \(${CRASHES}\): an attempt to find mapped memory\.$`,
        's',
      ),
      ({ program, host, distinct, spread, ...count }) =>
        `Ein Befehl von ${name(program, true)}${place(host)} verwendet ${counted(Number(distinct), 'Adresse', 'Adressen')}, die ${spread === 'at equal distances' ? 'jeweils um gleich viele ganze Speicherseiten auseinanderliegen' : 'um ganze Speicherseiten auseinanderliegen und über das ganze Speicherlayout verteilt sind'} (${crashes(count)}): ein Versuch, belegten Speicher zu finden.`,
    ],
  ],
  'register-value-probe': [
    [
      new RegExp(
        String.raw`^(?<register>\S+) of (?<program>.+?)${WHERE} moves in steps of 1 from crash to crash \((?<distinct>\d+) distinct values in ${CRASHES}\): an attempt to guess bytes on the stack, such as its canary or a return address\.(?<numbers> The values are neither addresses nor file descriptors: a counter of the program explains them too\.)?$`,
        's',
      ),
      ({ register, program, host, distinct, numbers, ...count }) =>
        `${register} von ${name(program, true)}${place(host)} wandert von Absturz zu Absturz in Schritten von 1 (${number(distinct)} verschiedene Werte, ${crashes(count)}): ein Versuch, Bytes auf dem Stack zu erraten, etwa den Canary oder eine Rücksprungadresse.${numbers === undefined ? '' : ' Die Werte sind weder Adressen noch Dateideskriptoren: Auch ein Zähler des Programms erklärt sie.'}`,
    ],
  ],
  'sensitive-program-crash': [
    [
      new RegExp(
        String.raw`^(?<program>.+?)${WHERE} crashed \(${CRASHES}\): a sensitive program, which hardly ever crashes by itself\.$`,
        's',
      ),
      ({ program, host, ...count }) =>
        `${name(program)}${place(host)} ist abgestürzt (${crashes(count)}): ein sensibles Programm, das kaum je von selbst abstürzt.`,
    ],
  ],
  'stack-canary-probe': [
    [
      new RegExp(
        String.raw`^(?<program>.+?)${WHERE} was forked and aborted again and again \(${CRASHES}\), and reported failed assertions of its own: most likely a fault of the program; an attacker who can make an assertion fail can cause the same\.$`,
        's',
      ),
      ({ program, host, ...count }) =>
        `${name(program)}${place(host)} wurde per Fork gestartet, brach immer wieder ab (${crashes(count)}) und meldete eigene fehlgeschlagene Assertions: wahrscheinlich ein Fehler des Programms. Ein Angreifer, der eine Assertion scheitern lassen kann, bewirkt dasselbe.`,
    ],
    [
      new RegExp(
        String.raw`^(?<program>.+?)${WHERE} was forked and aborted again and again at a fixed pace \(${CRASHES}\): most likely a worker that fails and is restarted by a timer; an attacker who guesses the stack canary can keep that pace too\.$`,
        's',
      ),
      ({ program, host, ...count }) =>
        `${name(program)}${place(host)} wurde per Fork gestartet und brach in festem Abstand immer wieder ab (${crashes(count)}): wahrscheinlich ein Worker, der scheitert und von einem Timer neu gestartet wird. Ein Angreifer, der den Stack-Canary errät, kann dieses Tempo auch einhalten.`,
    ],
    [
      new RegExp(
        String.raw`^(?<program>.+?)${WHERE} aborted again and again \(${CRASHES}\)\. The log does not show whether its parent forked it or it was executed again: a program that fails when it starts, or an attempt to guess the canary that protects its stack\. \x60kernel\.print-fatal-signals=1\x60 shows which, except for Go programs\.$`,
        's',
      ),
      ({ program, host, ...count }) =>
        `${name(program)}${place(host)} brach immer wieder ab (${crashes(count)}). Das Log zeigt nicht, ob es per Fork oder neu gestartet wurde: ein Programm, das beim Start scheitert, oder ein Versuch, den Canary, der den Stack schützt, zu erraten. \`kernel.print-fatal-signals=1\` zeigt, was es ist, außer bei Go-Programmen.`,
    ],
    [
      new RegExp(
        String.raw`^(?<program>.+?)${WHERE} was forked and aborted again and again at random times \(${CRASHES}\): an attempt to guess the canary that protects its stack, or a fault that many clients meet\. The program’s error output shows which\.(?<faults> It also crashes .+ does\.)?$`,
        's',
      ),
      ({ program, host, faults, ...count }) =>
        `${name(program)}${place(host)} wurde per Fork gestartet und brach zu zufälligen Zeiten immer wieder ab (${crashes(count)}): ein Versuch, den Canary, der den Stack schützt, zu erraten, oder ein Fehler, auf den viele Clients stoßen. Die Fehlerausgabe des Programms zeigt, was es ist.${faults === undefined ? '' : ' Es stürzt auch an vielen anderen Stellen immer wieder ab, wie ein Programm, das getestet wird.'}`,
    ],
    [
      new RegExp(
        String.raw`^(?<program>.+?)${WHERE} was forked, and the processor refused its changed pointers to code again and again \(${CRASHES}\): an attempt to guess a pointer authentication code, or to return to code that the program did not call\.$`,
        's',
      ),
      ({ program, host, ...count }) =>
        `${name(program)}${place(host)} wurde per Fork gestartet, und der Prozessor wies veränderte Zeiger auf Code immer wieder zurück (${crashes(count)}): ein Versuch, den Code einer Zeiger-Authentifizierung zu erraten oder zu Code zurückzukehren, den das Programm nicht aufgerufen hat.`,
    ],
    [
      new RegExp(
        String.raw`^(?<program>.+?)${WHERE} was forked and (?<how>${Object.keys(ABORTS).join('|')}) \(${CRASHES}\): an attempt to guess the canary that protects its stack(?<returns> or its return address)?, byte by byte\.(?<witnessed> The C library reported a changed canary\.)?$`,
        's',
      ),
      ({ program, host, how, returns, witnessed, ...count }) =>
        `${name(program)}${place(host)} wurde per Fork gestartet und ${ABORTS[how ?? '']} (${crashes(count)}): ein Versuch, den Canary, der den Stack schützt,${returns === undefined ? '' : ' oder die Rücksprungadresse'} Byte für Byte zu erraten.${witnessed === undefined ? '' : ' Die C-Bibliothek meldete einen veränderten Canary.'}`,
    ],
  ],
  'suppressed-crash-burst': [
    [
      /^The kernel(?: on (?<host>.+))? suppressed at least (?<suppressed>\d+) crash messages while it logged (?<logged>\d+) crashes: programs die far more often than the log shows\.$/s,
      ({ host, suppressed, logged }) =>
        `Der Kernel${place(host)} unterdrückte mindestens ${number(suppressed)} Absturzmeldungen, während er ${crashes({ crashes: logged })} protokollierte: Programme stürzen weit häufiger ab, als das Protokoll zeigt.`,
    ],
  ],
  'unmapped-jump': [
    [
      new RegExp(
        String.raw`^(?<program>.+?)${WHERE} jumps to the same unmapped address in every execution \(${CRASHES}\): an attempt to guess its memory layout\.$`,
        's',
      ),
      ({ program, host, ...count }) =>
        `${name(program)}${place(host)} springt bei jeder Ausführung zur selben nicht belegten Adresse (${crashes(count)}): ${LAYOUT}.`,
    ],
    [
      new RegExp(
        String.raw`^(?<program>.+?)${WHERE} jumps to unmapped memory near itself, in a new memory layout each time \(${CRASHES}\): an attempt to change part of a pointer to its code\.$`,
        's',
      ),
      ({ program, host, ...count }) =>
        `${name(program)}${place(host)} springt bei jeder Ausführung mit neuem Speicherlayout in nicht belegten Speicher in der eigenen Umgebung (${crashes(count)}): ein Versuch, einen Teil eines Zeigers auf den eigenen Code zu ändern.`,
    ],
    [
      new RegExp(
        String.raw`^(?<program>.+?)${WHERE} jumps to memory without code, to (?<distinct>\d+) addresses \(${CRASHES}\): an attempt to guess its memory layout\.(?<returning> The addresses come back to a few places in their pages: .+)?$`,
        's',
      ),
      ({ program, host, distinct, returning, ...count }) =>
        `${name(program)}${place(host)} springt in Speicher ohne Code, an ${counted(Number(distinct), 'Adresse', 'Adressen')} (${crashes(count)}): ${LAYOUT}.${returning === undefined ? '' : ' Die Adressen kehren an wenige Stellen ihrer Seiten zurück: Auch defekte Zeiger erklären das.'}`,
    ],
  ],
};

/**
 * Returns the message of a detection in German. Unchanged for user rules, and for messages of rules in other versions.
 */
export function germanMessage(rule: string, message: string): string {
  const forms = (FORMS as Readonly<Record<string, readonly Form[]>>)[rule] ?? [];
  for (const [english, german] of forms) {
    const groups = english.exec(message)?.groups;
    if (groups !== undefined) return german(groups);
  }
  return message;
}

function name(program: string | undefined, isDative = false): string {
  if (program !== 'a program') return program ?? '';
  return isDative ? 'einem Programm' : 'Ein Programm';
}

function place(host: string | undefined): string {
  return host === undefined ? '' : ` auf ${host}`;
}

function number(digits: string | undefined): string {
  return numberText(Number(digits));
}

function crashes({
  crashes: logged,
  unlogged,
}: Groups | { readonly crashes: string | undefined; unlogged?: undefined }): string {
  const text = counted(Number(logged), 'Absturz', 'Abstürze');
  return unlogged === undefined
    ? text
    : `${text}, dazu mindestens ${number(unlogged)}, die der Kernel nicht protokolliert hat`;
}

/** Translates `RULE of PROGRAM`, the form in which the risk of a host lists its signs. */
function sign(text: string): string {
  const [, rule = text, program] = /^(\S+)(?: of (.*))?$/s.exec(text) ?? [];
  const named = (RULE_NAMES_GERMAN as Groups)[rule] ?? rule;
  return program === undefined ? named : `${named} (${program})`;
}
