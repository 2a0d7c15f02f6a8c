import { OUTPUT_TEXT_GERMAN } from './output-text.de.ts';

/** German translations of API texts by the English text: settings and statistics of rules, and the texts of outputs. */
export const SERVER_TEXT_GERMAN: Readonly<Record<string, string>> = {
  ...OUTPUT_TEXT_GERMAN,
  // Settings of rules.
  'Counting window (seconds)': 'Zählfenster (Sekunden)',
  'Counting window of register dumps (seconds)': 'Zählfenster der Registerauszüge (Sekunden)',
  'Counting window, aligned to the epoch; each window is a detection of its own (seconds)':
    'Zählfenster, an der Epoche ausgerichtet; jedes Fenster ist eine eigene Erkennung (Sekunden)',
  'Critical from this many distinct addresses in small steps':
    'Kritisch ab so vielen verschiedenen Adressen in kleinen Schritten',
  'Critical from this many distinct values': 'Kritisch ab so vielen verschiedenen Werten',
  'Critical from this score': 'Kritisch ab diesem Risikowert',
  'Episode ends after this time without a crash (seconds)': 'Episode endet nach dieser Zeit ohne Absturz (Sekunden)',
  'Episode ends after this time without a jump (seconds)': 'Episode endet nach dieser Zeit ohne Sprung (Sekunden)',
  'Episode ends after this time without a report (seconds)': 'Episode endet nach dieser Zeit ohne Meldung (Sekunden)',
  'Episode ends after this time without a sign that is new or grew (seconds)':
    'Episode endet nach dieser Zeit ohne neues oder gewachsenes Anzeichen (Sekunden)',
  'Episode ends after this time without a kernel fault (seconds)':
    'Episode endet nach dieser Zeit ohne Kernel-Fehler (Sekunden)',
  'Crashes of the program count if they are at most this old (seconds)':
    'Abstürze des Programms zählen, wenn sie höchstens so alt sind (Sekunden)',
  'Medium from this many distinct places or addresses in the context of one program':
    'Mittel ab so vielen verschiedenen Stellen oder Adressen im Kontext eines Programms',
  'High from this many, if they belong to more than one function':
    'Hoch ab so vielen, wenn sie zu mehr als einer Funktion gehören',
  'Episode ends after this time without an abort (seconds)': 'Episode endet nach dieser Zeit ohne Abbruch (Sekunden)',
  'Episode ends after this time without evidence (seconds)': 'Episode endet nach dieser Zeit ohne Belege (Sekunden)',
  'High from this many distinct addresses': 'Hoch ab so vielen verschiedenen Adressen',
  'High from this many distinct places': 'Hoch ab so vielen verschiedenen Stellen',
  'High from this many jumps, unless they come back to a few targets':
    'Hoch ab so vielen Sprüngen, wenn sie nicht an wenige Ziele zurückkehren',
  'High from this many scattered addresses in a shared memory layout':
    'Hoch ab so vielen verstreuten Adressen in einem gemeinsamen Speicherlayout',
  'High from this many slow aborts': 'Hoch ab so vielen langsamen Abbrüchen',
  'High from this many suppressed messages': 'Hoch ab so vielen unterdrückten Meldungen',
  'Maximum crashes per address of a run shorter than the minimum with gaps; more are a crash loop':
    'Höchstens so viele Abstürze je Adresse einer Folge unter der Mindestlänge mit Lücken; mehr sind eine Absturzschleife',
  'Maximum gap inside a longer run (bytes)': 'Größte Lücke in einer längeren Folge (Byte)',
  'Maximum share of the places on one host; above, the rules for one host decide':
    'Größter Anteil der Stellen auf einem Host; darüber entscheiden die Regeln für einen Host',
  'Maximum step between neighbours (bytes)': 'Größter Schritt zwischen Nachbarn (Byte)',
  'Medium from this many crashes': 'Mittel ab so vielen Abstürzen',
  'Minimum distinct addresses of a run in a library when hardly any of them comes back':
    'Mindestzahl verschiedener Adressen einer Folge in einer Bibliothek, wenn kaum eine wiederkehrt',
  'Minimum distinct addresses of a run in a library; one of its functions has fewer places to fail':
    'Mindestzahl verschiedener Adressen einer Folge in einer Bibliothek; eine ihrer Funktionen hat weniger Stellen zum Scheitern',
  'Minimum distinct addresses of a run with gaps': 'Mindestzahl verschiedener Adressen einer Folge mit Lücken',
  'Minimum distinct addresses of a run without gaps': 'Mindestzahl verschiedener Adressen einer Folge ohne Lücken',
  'Minimum distinct places of a scattered scan when nine crashes of ten are alone at their place':
    'Mindestzahl verschiedener Stellen eines verstreuten Scans, wenn neun von zehn Abstürzen an ihrer Stelle allein sind',
  'Minimum distinct places of a scattered scan': 'Mindestzahl verschiedener Stellen eines verstreuten Scans',
  'Minimum distinct places of general protection faults of one image':
    'Mindestzahl verschiedener Stellen mit General Protection Fault in einem Abbild',
  'Minimum distinct targets without address randomisation; a broken pointer has one':
    'Mindestzahl verschiedener Ziele ohne Adressrandomisierung; ein fehlerhafter Zeiger hat eines',
  'Minimum distinct unmapped jump targets of one image':
    'Mindestzahl verschiedener nicht gemappter Sprungziele eines Abbilds',
  'Minimum executions that jump to one address; a broken pointer moves with the layout':
    'Mindestzahl der Ausführungen, die zu einer Adresse springen; ein fehlerhafter Zeiger wandert mit dem Layout',
  'Minimum fast aborts of one image': 'Mindestzahl schneller Abbrüche eines Abbilds',
  'Minimum hosts': 'Mindestzahl der Hosts',
  'Minimum invalid opcodes or general protection faults at one place of one image in the slow window':
    'Mindestzahl ungültiger Opcodes oder General Protection Faults an einer Stelle eines Abbilds im langsamen Fenster',
  'Episode ends after this time without a fault (seconds)':
    'Episode endet nach dieser Zeit ohne Fehlzugriff (Sekunden)',
  'Minimum distinct addresses, whole pages apart':
    'Mindestzahl verschiedener Adressen, die ganze Seiten auseinanderliegen',
  'Minimum jumps to memory without code': 'Mindestzahl der Sprünge in Speicher ohne Code',
  'Minimum places with one crash of a scan by small steps; not in libraries':
    'Mindestzahl der Stellen mit einem Absturz bei einem Scan in kleinen Schritten; nicht in Bibliotheken',
  'Minimum pointers to code of one image that the processor refused, in the slow window':
    'Mindestzahl der Zeiger auf Code eines Abbilds, die der Prozessor zurückwies, im langsamen Fenster',
  'Minimum ratio of suppressed to printed messages':
    'Mindestverhältnis der unterdrückten zu den ausgegebenen Meldungen',
  'Minimum distinct pages with a crash at the same offset in the page':
    'Mindestzahl verschiedener Seiten mit einem Absturz an derselben Stelle der Seite',
  'Minimum share of crashes at a place or target with one crash, without crash loops':
    'Mindestanteil der Abstürze an Stellen oder Zielen mit einem Absturz, ohne Absturzschleifen',
  'Minimum share of crashes at a place with one crash on all hosts, without crash loops':
    'Mindestanteil der Abstürze an Stellen mit einem Absturz auf allen Hosts, ohne Absturzschleifen',
  'Minimum share of jumps to a target with one jump': 'Mindestanteil der Sprünge zu Zielen mit einem Sprung',
  'Minimum slow aborts of one image': 'Mindestzahl langsamer Abbrüche eines Abbilds',
  'Minimum slow aborts of one image that follow a restart timer (low severity)':
    'Mindestzahl langsamer Abbrüche eines Abbilds im Takt eines Neustart-Timers (niedriger Schweregrad)',
  'Minimum steps of exactly 1 between distinct values':
    'Mindestzahl der Schritte von genau 1 zwischen verschiedenen Werten',
  'Minimum sum of signs that have fewer points by themselves: low 10, medium 30, high 60, critical 90':
    'Mindestsumme der Anzeichen, die allein weniger Punkte haben: niedrig 10, mittel 30, hoch 60, kritisch 90',
  'Minimum suppressed messages in the window': 'Mindestzahl unterdrückter Meldungen im Fenster',
  'Sensitive programs, separated by commas': 'Sensible Programme, durch Kommas getrennt',
  'Severity: auto (by the evidence), info, low, medium, high, critical':
    'Schweregrad: auto (nach den Belegen), info, low, medium, high, critical',
  'Suppressed messages this long after the latest evidence of an open probe belong to it (seconds)':
    'Unterdrückte Meldungen gehören so lange nach dem letzten Beleg zu einem offenen Abtasten (Sekunden)',
  'Window of fast aborts (seconds)': 'Fenster schneller Abbrüche (Sekunden)',
  'Window of slow aborts (seconds)': 'Fenster langsamer Abbrüche (Sekunden)',
  'Window of the comparison (seconds)': 'Fenster des Vergleichs (Sekunden)',

  // Statistics of rules.
  'Kernel settings change only when an administrator changes them.':
    'Kernel-Einstellungen ändern sich nur, wenn ein Administrator sie ändert.',
  'change by an administrator that hides evidence': 'Änderung durch einen Administrator, die Belege verbirgt',
  'Stop the detector instead of changing its settings': 'Den Detektor anhalten, statt seine Einstellungen zu ändern',
  'Root on the host, as for the change. An alert reports silent detectors.':
    'Root auf dem Host, wie für die Änderung. Ein Alarm meldet verstummte Detektoren.',
  'A binary has a fixed number of faults, and its crashes occur on random hosts. With up to 15 faults, none of 300 simulated fleets of 20 hosts triggers the rule. With 20 equally frequent faults that all occur every day, there are 1.4 false alarms a month.':
    'Ein Programm hat eine feste Zahl von Fehlern, und seine Abstürze treten auf zufälligen Hosts auf. Mit bis zu 15 Fehlern löst keine von 300 simulierten Flotten aus 20 Hosts die Regel aus. Mit 20 gleich häufigen Fehlern, die alle täglich auftreten, sind es 1,4 Fehlalarme im Monat.',
  'binary with many faults on many hosts, such as a browser on desktops, each day':
    'Binärprogramm mit vielen Fehlern auf vielen Hosts, etwa einem Browser auf Desktops, an jedem Tag',
  'Two tries at each place, over all hosts': 'Zwei Versuche an jeder Stelle, über alle Hosts',
  'Twice the crashes. A rule that finds this has false alarms.':
    'Doppelt so viele Abstürze. Eine Regel, die das findet, hat Fehlalarme.',
  'At most 15 probes a day over all hosts': 'Höchstens 15 Versuche am Tag über alle Hosts',
  'A scan of 1 MiB of code (65,536 places) takes 12 years.':
    'Ein Scan von 1 MiB Code (65.536 Stellen) dauert 12 Jahre.',
  'Signs are independent of each other. A host has the false alarms of low severity of `sensitive-program-crash`, and three rules of medium severity with one false alarm in ten months each. In a simulation, two of these fall into the same half day in one of 900 months.':
    'Die Anzeichen sind voneinander unabhängig. Ein Host hat die Fehlalarme der Regel `sensitive-program-crash` (Schweregrad niedrig) und drei Regeln mit Schweregrad mittel und je einem Fehlalarm in zehn Monaten. In einer Simulation fallen zwei davon in einem von 900 Monaten auf denselben halben Tag.',
  'fault of the whole machine, such as failing memory, that makes several programs crash':
    'Fehler der ganzen Maschine, etwa defektem Speicher, durch den mehrere Programme abstürzen',
  'One sign of medium severity in 32 hours': 'Ein Anzeichen mit mittlerem Schweregrad in 32 Stunden',
  'Each step of the attack waits until the previous sign has decayed.':
    'Jeder Schritt des Angriffs wartet, bis das vorige Anzeichen abgeklungen ist.',
  'A program has a limited number of faults, and its crashes return to their places. Of 10,000 simulated programs with 20 faults (Zipf’s law), 24 crash at 16 scattered places within 300 crashes, or at 12 places with nine in ten crashes alone at their place. With 15 faults none does. With equally frequent faults, 2 in 1,000 programs do so with 15 faults, and 5 in 100 with 20. In one of 100,000 programs, eight of 60 faults are at the same offset of different pages. With glibc 2.36 (measured), one function of the C library fails at up to 18 places when its data is at a wrong address; 1.5 of 100 programs reach ten of these places before they return to one.':
    'Ein Programm hat eine begrenzte Zahl von Fehlern, und seine Abstürze kehren an deren Stellen zurück. Von 10.000 simulierten Programmen mit 20 Fehlern (Zipfsches Gesetz) stürzen 24 innerhalb von 300 Abstürzen an 16 verstreuten Stellen ab, oder an 12 Stellen, wobei neun von zehn Abstürzen an ihrer Stelle allein sind. Mit 15 Fehlern ist es kein einziges. Bei gleich häufigen Fehlern sind es mit 15 Fehlern 2 von 1.000 Programmen und mit 20 Fehlern 5 von 100. Bei einem von 100.000 Programmen liegen acht von 60 Fehlern am selben Offset verschiedener Seiten. Mit glibc 2.36 (gemessen) scheitert eine Funktion der C-Bibliothek an bis zu 18 Stellen, wenn ihre Daten an einer falschen Adresse liegen; 1,5 von 100 Programmen erreichen zehn dieser Stellen, bevor sie zu einer zurückkehren.',
  'Two tries at each place, in steps of more than 64 bytes':
    'Zwei Versuche an jeder Stelle, in Schritten von mehr als 64 Byte',
  'Twice the crashes.': 'Doppelt so viele Abstürze.',
  'A scan in small steps of at most nine places of a library, or of 19 places with two tries each':
    'Ein Scan in kleinen Schritten von höchstens neun Stellen einer Bibliothek, oder von 19 Stellen mit je zwei Versuchen',
  'A library has thousands of places.': 'Eine Bibliothek hat Tausende Stellen.',
  'At most 11 new places in 6 hours': 'Höchstens 11 neue Stellen in 6 Stunden',
  'A scan of 1 MiB of code (65,536 places) takes four years.':
    'Ein Scan von 1 MiB Code (65.536 Stellen) dauert vier Jahre.',
  'Each try in a new execution, with a guess of the lowest byte of an address':
    'Jeder Versuch in einer neuen Ausführung, wobei das niedrigste Byte einer Adresse geraten wird',
  'None, if the program is started again at once: the severity is medium instead of high.':
    'Keiner, wenn das Programm sofort neu gestartet wird: Der Schweregrad ist mittel statt hoch.',
  'Three crashes at each place on average': 'Im Mittel drei Abstürze an jeder Stelle',
  'Three times the crashes: the severity becomes low, after an alert of medium or high severity.':
    'Dreimal so viele Abstürze: Der Schweregrad wird niedrig, nach einem Alarm mit mittlerem oder hohem Schweregrad.',
  'Crashes of five other executables at random places':
    'Abstürze von fünf anderen ausführbaren Dateien an zufälligen Stellen',
  'Access to the host: the severity is one level lower.': 'Zugang zum Host: Der Schweregrad ist eine Stufe niedriger.',
  'Registers contain pointers and IDs, which do not count through a range in steps of 1. Copies that run past the end of their data are excluded. Counters and depths of recursion do move in steps of 1. From 1,024 to 4 MiB, where neither file descriptors nor addresses are, they have severity low. No captured benign log triggers the rule with high severity, so the figure is an upper bound: less than one false alarm a year.':
    'Register enthalten Zeiger und Kennungen, die keinen Bereich in Schritten von 1 durchzählen. Kopien, die über das Ende ihrer Daten hinauslaufen, sind ausgenommen. Zähler und Rekursionstiefen ändern sich in Schritten von 1. Von 1.024 bis 4 MiB, wo weder Dateideskriptoren noch Adressen liegen, haben sie den Schweregrad „niedrig“. Kein aufgezeichnetes harmloses Log löst die Regel mit dem Schweregrad „hoch“ aus. Die Zahl ist daher eine Obergrenze: weniger als ein Fehlalarm im Jahr.',
  'Values in steps of 2, and the values between them 6 hours later':
    'Werte in Schritten von 2, und die Werte dazwischen 6 Stunden später',
  '6 hours for each byte.': '6 Stunden für jedes Byte.',
  'A broken pointer has one address in each memory layout. With address randomization, a 32-bit program has 256 layouts. Of 10,000 simulated programs with a pointer to one of 256 pages, none uses 16 addresses without repetition of which six in ten are neighbours: pages repeat first. With a pointer to one of 32 pages, 36 do. In one layout, a broken pointer has one address, a wrong 32-bit offset leads at most 4 GiB away, and 16 calculated addresses have one offset in the page by chance in one of 256^15 cases.':
    'Ein defekter Zeiger hat je Speicherlayout eine Adresse. Mit Adressverwürfelung hat ein 32-Bit-Programm 256 Layouts. Von 10.000 simulierten Programmen mit einem Zeiger auf eine von 256 Seiten verwendet keines 16 Adressen ohne Wiederholung, von denen sechs von zehn benachbart sind: Vorher wiederholen sich Seiten. Mit einem Zeiger auf eine von 32 Seiten sind es 36. In einem Layout hat ein defekter Zeiger eine Adresse, ein falscher 32-Bit-Abstand führt höchstens 4 GiB weit, und 16 berechnete Adressen liegen zufällig in einem von 256^15 Fällen an derselben Stelle der Seite.',
  'forked program that crashes at the end of memory which grows equally between all its crashes':
    'geforktes Programm, das am Ende von Speicher abstürzt, der zwischen allen Abstürzen gleich stark wächst',
  'Random addresses in a new execution each': 'Zufällige Adressen in je einer neuen Ausführung',
  'None where every execution has a new layout: the log looks like that of a broken pointer.':
    'Keiner, wenn jede Ausführung ein neues Layout hat: Das Log sieht aus wie das eines defekten Zeigers.',
  'Random addresses with a random offset in the page, or half of them within 8 GiB':
    'Zufällige Adressen an zufälligen Stellen der Seite, oder die Hälfte davon innerhalb von 8 GiB',
  'An attacker who looks for a known object knows its offset in the page, and few of these tries can find it.':
    'Wer ein bekanntes Objekt sucht, kennt seine Stelle in der Seite, und nur wenige dieser Versuche können es finden.',
  'Guesses of a saved register that contains a number from 1,024 to 4 MiB':
    'Erraten eines gesicherten Registers, das eine Zahl von 1.024 bis 4 MiB enthält',
  'Such a register is no canary, no address and no file descriptor: the guess teaches nothing. The severity is low.':
    'Ein solches Register ist weder Canary noch Adresse noch Dateideskriptor: Der Versuch bringt nichts. Der Schweregrad ist niedrig.',
  'Two tries at each address': 'Zwei Versuche an jeder Adresse',
  'At most 15 addresses in 6 hours': 'Höchstens 15 Adressen in 6 Stunden',
  'A server reports one fault of its kernel in two years. Of 100 such faults, 60 are invalid accesses and failed assertions while the kernel works for a program, 30 happen in its threads or in interrupts, and 10 are checks of memory that fail because of a bug, half of them in modules from elsewhere. Four of the 100 are of medium severity, the others below.':
    'Ein Server meldet in zwei Jahren einen Fehler seines Kernels. Von 100 solchen Fehlern sind 60 ungültige Zugriffe und fehlgeschlagene Zusicherungen, während der Kernel für ein Programm arbeitet, 30 treten in seinen Threads oder in Interrupts auf, und 10 sind Prüfungen des Speichers, die wegen eines Fehlers im Code fehlschlagen, die Hälfte davon in fremden Modulen. Vier der 100 haben den Schweregrad mittel, die übrigen einen niedrigeren.',
  'kernel update with a bug that ordinary programs hit at several places':
    'Kernel-Update mit einem Fehler, den gewöhnliche Programme an mehreren Stellen auslösen',
  'An exploit that succeeds at the first try': 'Ein Exploit, der beim ersten Versuch gelingt',
  'A reliable exploit for this kernel build. Exploits of freed memory often need several tries.':
    'Ein zuverlässiger Exploit für diesen Build des Kernels. Exploits freigegebenen Speichers brauchen oft mehrere Versuche.',
  'A panic at the first fault (`kernel.panic_on_oops`), before the detector can send the report':
    'Eine Panic beim ersten Fehler (`kernel.panic_on_oops`), bevor der Detektor die Meldung senden kann',
  'None. The log of kdump, pstore or a serial console still contains the report; `analyze` reads it.':
    'Keiner. Das Log von kdump, pstore oder einer seriellen Konsole enthält die Meldung weiterhin; `analyze` liest es.',
  'An exploit whose faults happen in threads of the kernel or in interrupts':
    'Ein Exploit, dessen Fehler in Threads des Kernels oder in Interrupts auftreten',
  'Depends on the bug. The detection is of low severity, or medium from three places.':
    'Hängt vom Fehler ab. Die Erkennung hat den Schweregrad niedrig, ab drei Stellen mittel.',
  'Faults under another process name each time': 'Fehler unter jeweils anderem Prozessnamen',
  'None. Each name is a detection of its own, with the severity of its fault alone.':
    'Keiner. Jeder Name ist eine eigene Erkennung mit dem Schweregrad seines Fehlers allein.',
  'A data-only attack on a kernel that does not check the data':
    'Ein Angriff nur auf Daten eines Kernels, der diese Daten nicht prüft',
  'A bug that gives exact writes. The kernel reports nothing.':
    'Ein Fehler, der genaue Schreibzugriffe erlaubt. Der Kernel meldet nichts.',
  'A host uses six programs of the list, and each of them crashes once in five years.':
    'Ein Host verwendet sechs Programme der Liste, und jedes davon stürzt einmal in fünf Jahren ab.',
  'update of a library under several running programs of the list':
    'Aktualisierung einer Bibliothek unter mehreren laufenden Programmen der Liste',
  'A program that is not in the list': 'Ein Programm, das nicht in der Liste steht',
  'Depends on the target. Other rules still judge the crashes.':
    'Hängt vom Ziel ab. Andere Regeln beurteilen die Abstürze weiterhin.',
  'A program aborts once in each execution, and each execution has another memory image.':
    'Ein Programm bricht je Ausführung einmal ab, und jede Ausführung hat ein anderes Speicherabbild.',
  'host where builds of one name crash close together, such as `conftest` and `a.out`':
    'Host, auf dem Builds eines Namens nahe beieinander abstürzen, wie `conftest` und `a.out`',
  'worker that fails and that its parent forks again and again without a pause':
    'Worker, der ausfällt und den sein Elternprozess ohne Pause immer wieder erzeugt',
  'Random pauses between the tries': 'Zufällige Pausen zwischen den Versuchen',
  'None: the severity is medium instead of high.': 'Keiner: Der Schweregrad ist mittel statt hoch.',
  'The same, with repeated crashes at eight other places of the program':
    'Dasselbe, mit wiederholten Abstürzen an acht anderen Stellen des Programms',
  'Eight more faults of the program: the severity is low.':
    'Acht weitere Fehler des Programms: Der Schweregrad ist niedrig.',
  'At most 19 guesses of a pointer authentication code in 6 hours':
    'Höchstens 19 Versuche für den Code einer Zeiger-Authentifizierung in 6 Stunden',
  'A code of seven bits takes 64 tries on average, and therefore 20 hours.':
    'Ein Code von sieben Bit braucht im Mittel 64 Versuche und damit 20 Stunden.',
  'At most 119 tries in 6 hours': 'Höchstens 119 Versuche in 6 Stunden',
  'A canary takes 900 tries on average, which take two days.':
    'Ein Canary braucht im Mittel 900 Versuche; sie dauern zwei Tage.',
  'A program crashes less than 500 times a minute.': 'Ein Programm stürzt weniger als 500-mal in der Minute ab.',
  'supervisor that restarts a failing program without a pause':
    'Supervisor, der ein ausfallendes Programm ohne Pause neu startet',
  'At most 499 crashes a minute': 'Höchstens 499 Abstürze in der Minute',
  'A blind return-oriented-programming attack of 2,400 requests takes five minutes instead of one.':
    'Ein Angriff mit Blind Return-Oriented Programming aus 2.400 Anfragen dauert fünf Minuten statt einer.',
  'A broken pointer has one target, which moves with the memory layout. Targets at fixed addresses do not count, such as kernel functions for old programs, and the data of a program that is not position-independent. Values that glibc leaves in freed memory do not count either: one guess of 16 looks like such a value by chance. A broken pointer to the own program or its heap leads to mapped memory, so jumps to unmapped memory around the program in four layouts are a changed pointer.':
    'Ein defekter Zeiger hat ein Ziel, das sich mit dem Speicherlayout verschiebt. Ziele an festen Adressen zählen nicht, etwa Kernel-Funktionen für alte Programme und Daten eines Programms, das nicht positionsunabhängig ist. Werte, die glibc in freigegebenem Speicher hinterlässt, zählen auch nicht: Einer von 16 Versuchen sieht zufällig so aus. Ein defekter Zeiger auf das eigene Programm oder seinen Heap führt in belegten Speicher. Sprünge in nicht belegten Speicher um das Programm in vier Layouts sind daher ein geänderter Zeiger.',
  'program that calls code which it has unmapped in four executions or more within 6 hours':
    'Programm, das in vier oder mehr Ausführungen innerhalb von 6 Stunden Code aufruft, den es freigegeben hat',
  'Guesses in the area of the libraries that differ by whole pages, drawn at random':
    'Zufällig gezogene Versuche im Bereich der Bibliotheken, die sich um ganze Seiten unterscheiden',
  'None where every execution has a new layout: the log looks like that of a broken pointer. Guesses in equal steps are found by `memory-search`.':
    'Keiner, wenn jede Ausführung ein neues Layout hat: Das Log sieht aus wie das eines defekten Zeigers. Versuche in gleichen Schritten findet `memory-search`.',
  'Crashes at 15 places of the program and 15 jumps to various addresses in 6 hours':
    'Abstürze an 15 Stellen des Programms und 15 Sprünge an verschiedene Adressen in 6 Stunden',
  'The 256 layouts of a 32-bit program take four days.': 'Die 256 Layouts eines 32-Bit-Programms dauern vier Tage.',
  'At most three jumps in 6 hours': 'Höchstens drei Sprünge in 6 Stunden',
  'The 256 layouts of a 32-bit program take three weeks.': 'Die 256 Layouts eines 32-Bit-Programms dauern drei Wochen.',
};
