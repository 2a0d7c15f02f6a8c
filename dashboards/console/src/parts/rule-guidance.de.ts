import type { RuleGuidance, ShippedRule } from './shipped-rule.ts';

/** German translations of the API's English texts about the shipped rules. */
export const RULE_GUIDANCE_GERMAN: Readonly<Record<ShippedRule, RuleGuidance>> = {
  'instruction-pointer-probe': {
    summary:
      'Der Befehlszeiger der Abstürze eines Programms wandert systematisch, in beliebiger Reihenfolge: in Schritten von 1 bis 16 Byte, über viele Stellen seines Codes, von Seite zu Seite oder zwischen vielen nicht belegten Adressen. Ein Angreifer sucht Adressen für Sprünge.',
    nextChecks: [
      'Vergleichen Sie die Zeiten der Abstürze mit dem Zugriffsprotokoll des Programms: Welcher Client verband sich jeweils kurz davor? Sperren Sie ihn am Netzrand.',
      'Prüfen Sie, ob die Abstürze aufgehört haben. Eine Suche, die von selbst endet, war erfolgreich: Behandeln Sie den Host ab diesem Zeitpunkt als kompromittiert (neue Prozesse, ausgehende Verbindungen, geänderte Dateien des Benutzers des Programms).',
      'Rechnen Sie die nicht protokollierten Abstürze (`suppressedAtLeast`) hinzu: Der Kernel gibt etwa zehn solche Zeilen in fünf Sekunden aus, die wahre Zahl der Versuche ist um so viel höher. Abstürze, von denen nur der Speicherauszug protokolliert wurde, zählen als protokolliert (`crashes`).',
      'Schlagen Sie die untersuchten Adressen (`values`) im Binärprogramm nach (`addr2line -e FILE ADDRESS`, `objdump -d`): Schritte von 16 Byte in der Procedure Linkage Table sind die späte Phase eines Angriffs mit Blind Return-Oriented Programming.',
      'Starten Sie das Programm neu, statt es weiter forken zu lassen: Nur eine neue Ausführung erhält ein neues Adresslayout und einen neuen Canary. Sichern Sie vorher einen Core-Dump und das Binärprogramm.',
      'Suchen Sie auf anderen Hosts nach Abstürzen desselben Programms zur selben Zeit.',
    ],
    falsePositives: [
      'Ein Fuzzer oder ein Absturztest in einer Entwicklungsumgebung, der viele Fehler auf einmal findet: Seine Abstürze liegen an vielen Stellen, er wird aber von einem bekannten Benutzer gestartet. Der Schweregrad wird niedrig, wenn er im Mittel dreimal an jede Stelle zurückkehrt. Legen Sie eine Ausnahme mit Ablaufdatum für den Host oder das Programm an.',
      'Ein beschädigtes Binärprogramm, defekter Speicher oder ein instabiler Prozessor. Der Schweregrad bleibt mittel, solange jeder Absturz ein eigenes Adresslayout hat, und ist eine Stufe niedriger, solange auch fünf andere Programme des Hosts wie zufällig abstürzen.',
      'Eine Testsuite, die viele kleine Programme abstürzen lässt: Der Schweregrad ist eine Stufe niedriger, wie bei einem Fehler der Maschine.',
      'Viele Builds eines Namens, wie `conftest` von Configure-Skripten oder ein Programm, das korrigiert und wieder ausprobiert wird: Der Fehler verschiebt sich mit jedem Build um einige Bytes. Der Schweregrad bleibt mittel. Legen Sie auf Build-Hosts eine Ausnahme für das Programm an.',
      'Ein Just-in-time-Compiler im Test, der fehlerhaften Code erzeugt: Die Werte gehören zu keiner Datei und unterscheiden sich von Lauf zu Lauf. Solcher Code zählt nur, wo der Kernel keine Dateien nennt: auf 32-Bit-ARM, bei alten Kerneln von arm64 und powerpc und in Registerauszügen ohne Trap-Zeilen.',
      'Ein Server mit Fork, der sowohl von als auch zu falschen Adressen kopiert: `memcpy` scheitert an 18 seiner Befehle, die wenige Byte auseinander liegen. Einer von 50 solchen Servern wird gemeldet.',
    ],
  },
  'register-value-probe': {
    summary:
      'RDI, RSI oder RIP in den Auszügen fataler Signale eines Programms wandert in Schritten von 1, und der Wert ist keine Prozess- oder Thread-Kennung: Ein Angreifer errät ein Byte des Stacks.',
    nextChecks: [
      'Lesen Sie die Werte: Zählen sie ein Byte durch (256 Werte), und welches? Eine Folge im niedrigsten Byte, die im nächsten neu beginnt, ist byteweises Lesen des Stacks.',
      'Vergleichen Sie die Zeiten mit dem Zugriffsprotokoll des Programms, finden Sie den Client, dessen Anfragen zusammenfallen, und sperren Sie ihn.',
      'Suchen Sie nach einer Erkennung des Befehlszeigers oder des Stack-Canarys desselben Programms: Die Phasen eines Angriffs folgen in Minuten aufeinander.',
      'Prüfen Sie, ob das Programm mit Stack-Schutz und positionsunabhängig gebaut ist, und starten Sie es neu: Eine neue Ausführung zieht einen neuen Canary und ein neues Layout.',
      'Sichern Sie einen Core-Dump und sehen Sie nach, was das Register enthielt: Ein Zähler des Programms selbst ist harmlos, Bytes einer Anfrage sind es nicht.',
    ],
    falsePositives: [
      'Ein Programm, das mit einem eigenen Zähler im Register abbricht, etwa der Nummer eines Workers oder der Zahl der Anfragen. Die Werte laufen dann über Neustarts hinweg weiter.',
      'Prozess- und Thread-Kennungen sind ausgenommen; ein Container mit eigenem PID-Namensraum kann verbergen, dass ein Wert eine ist. Vergleichen Sie mit `ps` im Container.',
    ],
  },
  'stack-canary-probe': {
    summary:
      'Ein Programm mit Fork bricht immer wieder ab, stets aus demselben Abbild im Speicher und wie auch immer seine Kindprozesse heißen: Ein falsches Byte des Canarys des Stack-Schutzes kostet den Angreifer einen Kindprozess, und der Elternprozess erzeugt den nächsten mit demselben Canary.',
    nextChecks: [
      'Suchen Sie nach `*** stack smashing detected ***` in der Fehlerausgabe oder im Journal des Programms oder nach `__stack_chk_fail` im Backtrace eines Core-Dumps (`coredumpctl debug`): Damit ist es ein Angriff.',
      'Vergleichen Sie die Abbrüche mit dem Zugriffsprotokoll: ein Client, eine Verbindung je Abbruch, dieselbe Anfrage, die Byte für Byte wächst. Sperren Sie ihn.',
      'Zählen Sie sie: Ein Canary hat sieben unbekannte Byte mit höchstens 256 Versuchen, im Mittel etwa 900. Enden die Abbrüche nach so vielen, ist er bekannt; suchen Sie als Nächstes eine Suche mit dem Befehlszeiger desselben Programms.',
      'Beenden Sie den Elternprozess und starten Sie ihn neu: Kindprozesse eines Forks teilen den Canary, eine neue Ausführung zieht einen anderen.',
      'Planen Sie die dauerhafte Abhilfe: neu ausführen statt forken für jede Verbindung, und den Überlauf beheben.',
    ],
    falsePositives: [
      'Ein Daemon, der im Voraus forkt und dessen Worker von selbst abbrechen (eine fehlgeschlagene Assertion bei einem schadhaften Auftrag) und ohne Pause neu erzeugt werden: dieselbe Spur im Kernel-Log. Die Fehlerausgabe nennt die Assertion, und die Abbrüche gehen ohne Client weiter. Korrigieren Sie die Pause vor dem Neustart, oder legen Sie eine Ausnahme mit Ablaufdatum an.',
      'Anfragen vieler Clients, die in Worker-Prozessen eines Forks auf eine fehlgeschlagene Assertion treffen: Die Abbrüche kommen zu zufälligen Zeiten, und der Schweregrad bleibt mittel.',
      'Ein Fuzzer: Auch seine Abbrüche kommen zu zufälligen Zeiten, und das Programm kehrt an mindestens acht andere Stellen zurück, an denen es abstürzt. Der Schweregrad ist niedrig.',
      'Ein Supervisor, der Worker abbricht, die nicht antworten, wird nicht gemeldet, wo Speicherauszüge den Systemaufruf zeigen, wie sie es auf x86-64 tun.',
      'Eine Testsuite mit Death-Tests (`EXPECT_DEATH`): ein bekannter Benutzer auf einem Build-Host.',
      'Ein Supervisor, der das Programm neu ausführt, wird nicht gemeldet: Jede Ausführung hat ein anderes Adresslayout, sofern die Adressverwürfelung nicht abgeschaltet ist. Wo nur Core-Dumps ohne Aufrufliste oder Audit-Einträge die Abbrüche melden, ist der Schweregrad niedrig.',
    ],
  },
  'suppressed-crash-burst': {
    summary:
      'Der Kernel hat weit mehr Absturzmeldungen eines Hosts unterdrückt als ausgegeben: Dort sterben Programme so häufig, dass einzelne Zeilen wenig aussagen.',
    nextChecks: [
      'Finden Sie das Programm: Listen Sie die letzten Abstürze auf, die der Kernel auf diesem Host ausgegeben hat (`trapline query events --hostname HOST --type LinuxKernelTrap`), und was am häufigsten neu startet (`systemctl`, die Container-Laufzeit).',
      'Setzen Sie `kernel.print-fatal-signals=1` auf dem Host: Diese Auszüge sind nicht begrenzt, die nächsten Minuten zeigen jeden Absturz mit seinen Registern.',
      'Vergleichen Sie die Zeit mit den Zugriffsprotokollen der Dienste des Hosts: Tausende Abstürze in der Minute brauchen Tausende Anfragen.',
      'Suchen Sie nach einer später eröffneten Erkennung einer Suche auf dem Host: Es ist derselbe Angriff, besser gesehen.',
    ],
    falsePositives: [
      'Ein Supervisor ohne Pause startet ein Programm neu, das sofort stirbt: Die wenigen ausgegebenen Zeilen nennen dann jedes Mal dieselbe Adresse.',
      'Ein Fuzzing-Auftrag. Verlegen Sie ihn auf einen eigenen Host, und legen Sie eine Ausnahme mit Ablaufdatum an.',
    ],
  },
  'detector-tampering': {
    summary:
      'Eine Kernel-Einstellung, die der Detektor eingeschaltet hatte, damit Abstürze Belege hinterlassen, wurde auf einen Wert geändert, der sie verbirgt.',
    nextChecks: [
      'Klären Sie, wer sie geändert hat: Konfigurationsverwaltung, ein Paket-Update, ein Administrator oder eine unbekannte Person. Dazu braucht es root; eine unbekannte Änderung bedeutet also, dass ein Angreifer root hat.',
      'Sehen Sie die letzten Anmeldungen, `sudo`-Einträge und Shell-Verläufe des Hosts zu dieser Zeit an, und die Dateien in `/etc/sysctl.d`.',
      'Schalten Sie die Einstellung wieder ein (`trapline detect --configure`), und beobachten Sie, ob sie erneut geändert wird.',
      'Behandeln Sie die Zeit seit dem letzten Ereignis mit der richtigen Einstellung als unbeobachtet: Suchen Sie nach Suchen auf diesem Host kurz davor.',
    ],
    falsePositives: [
      'Zwei Werkzeuge verwalten dieselbe Einstellung, etwa eine Härtungsrolle, die `kernel.print-fatal-signals=0` setzt. Lassen Sie eines von ihnen gewinnen, an seiner Quelle.',
      'Ein Neustart: Einstellungen zur Laufzeit sind verloren, bis der Detektor wieder startet.',
    ],
  },
  'unmapped-jump': {
    summary:
      'Ein Programm, das nach jedem Absturz neu ausgeführt wird, springt in Speicher ohne Code: an dieselbe Adresse, gleich welches Layout es hat, oder an Adressen, die ein defekter Zeiger nicht erklärt. Ein Angreifer rät, wo Code liegt.',
    nextChecks: [
      'Vergleichen Sie die Zeiten mit dem Zugriffsprotokoll des Programms: Welcher Client verband sich kurz vor jedem Absturz? Sperren Sie ihn am Netzrand.',
      'Prüfen Sie, ob die Abstürze aufgehört haben. Ein Raten, das von selbst endet, war richtig: Behandeln Sie den Host ab diesem Zeitpunkt als kompromittiert.',
      'Prüfen Sie, ob das Programm 64-bittig und positionsunabhängig ist: Ein Layout mit 32 Bit hat einige hundert Varianten, eine zu erraten dauert Minuten.',
      'Suchen Sie im Changelog des Programms nach einer Korrektur eines Speicherfehlers, die zu diesem Absturz passt, und aktualisieren Sie es.',
    ],
    falsePositives: [
      'Ein nicht initialisierter Funktionszeiger: Er enthält, was vorher auf dem Stack oder Heap lag. Ein Core-Dump nennt den Aufruf.',
      'Plug-ins, die entladen wurden, während das Programm sie noch aufruft: Die Adresse liegt dort, wo die Bibliothek war.',
    ],
  },
  'sensitive-program-crash': {
    summary:
      'Ein Programm, das Benutzer authentifiziert, Rechte vergibt oder andere startet, ist abgestürzt. Solche Programme stürzen kaum je von selbst ab: auf einem gewöhnlichen Host seltener als einmal im Jahr.',
    nextChecks: [
      'Sehen Sie nach, was das Programm tat: seine Protokollzeilen kurz vor dem Absturz, den Benutzer und den Client (`journalctl _COMM=PROGRAM`).',
      'Sichern Sie den Core-Dump (`coredumpctl info`), und sehen Sie die obersten Frames an: Das Parsen von Eingaben deutet auf einen Angriff, eine eben aktualisierte Bibliothek nicht.',
      'Prüfen Sie, ob das Paket aktuell ist, und suchen Sie in den Sicherheitshinweisen des Programms nach der abgestürzten Funktion.',
      'Suchen Sie nach neuen Sitzungen, `sudo`-Einträgen und Set-User-ID-Dateien auf dem Host nach dem Absturz.',
    ],
    falsePositives: [
      'Ein Update hat eine Bibliothek unter dem laufenden Programm ersetzt: Der Absturz folgt dem Protokoll der Paketverwaltung um Sekunden.',
      'Schadhafter Speicher oder ein instabiler Prozessor: Auch andere Programme des Hosts stürzen ab, und Machine-Check-Zeilen im Kernel-Log zeigen es.',
      'Der Speicher ist knapp: Der Out-of-Memory-Killer oder eine fehlgeschlagene Allokation beendet das Programm. Das Kernel-Log sagt es.',
    ],
  },
  'fleet-scan': {
    summary:
      'Ein Binärprogramm stürzt auf mehreren Hosts ab, auf jedem wenige Male, jedes Mal an anderen Stellen. Ein Angreifer hinter einem Load Balancer sucht Stellen für Sprünge. Dieselbe Stelle auf jedem Host ist ein fehlerhaftes Release und wird nicht gemeldet.',
    nextChecks: [
      'Listen Sie die Abstürze auf (`trapline query events --type LinuxKernelTrap --file FILE`), und vergleichen Sie ihre Zeiten mit dem Zugriffsprotokoll des Load Balancers: Ein Client oder eine Art von Anfragen geht ihnen voraus.',
      'Sperren Sie den Client am Load Balancer, für den ganzen Pool: Eine Sperre auf einem Host verschiebt die Suche auf die anderen.',
      'Prüfen Sie, ob die Abstürze aufgehört haben. Eine Suche, die von selbst endet, war erfolgreich: Behandeln Sie jeden Host des Pools ab diesem Zeitpunkt als kompromittiert.',
      'Starten Sie das Programm auf allen Hosts neu, damit jede Ausführung ein neues Layout zieht. Hosts, die aus einem laufenden Abbild geklont wurden, teilen ein Layout: Starten Sie diese zuerst neu.',
      'Sichern Sie den Core-Dump eines Hosts, und suchen Sie den Überlauf: Die Anfrage ist auf allen Hosts dieselbe.',
    ],
    falsePositives: [
      'Ein Binärprogramm mit vielen Fehlern auf vielen Hosts, etwa ein Browser auf Arbeitsplätzen: Seine Abstürze liegen an vielen Stellen, gehen aber wochenlang gleich häufig weiter. Erhöhen Sie `minPlaces`, oder legen Sie eine Ausnahme für das Programm oder die Datei an. Eine Ausnahme für einen Host erfasst keine Kampagne, denn diese hat keinen Host.',
      'Ein fehlerhaftes Release stürzt auf jedem Host an denselben Stellen ab und wird nicht gemeldet. Wird es gemeldet, hat jeder Host einen anderen Build derselben Größe: Vergleichen Sie die Paketversionen.',
      'Fuzzing, das über einen Cluster von Build-Hosts verteilt ist. Legen Sie eine Ausnahme mit Ablaufdatum für das Programm an.',
    ],
  },
  'host-risk': {
    summary:
      'Mehrere verschiedene Anzeichen auf einem Host, jedes für eine Meldung zu schwach, summieren sich. Ein Anzeichen ist eine Regel für ein Programm; ohne neue Belege verliert es in 24 Stunden die Hälfte seiner Punkte.',
    nextChecks: [
      'Lesen Sie die anderen Erkennungen dieses Hosts, die älteste zuerst: Gehören sie zusammen, etwa Suchen an einem Dienst und danach der Absturz eines Programms, das Rechte vergibt?',
      'Vergleichen Sie die Zeiten der Anzeichen mit Anmeldungen, `sudo`-Einträgen und geänderten Dateien des Hosts.',
      'Prüfen Sie, ob andere Hosts mit denselben Programmen dieselben Anzeichen haben: Dann ist es eher ein fehlerhaftes Release als ein Angriff.',
      'Geben Sie jeder Erkennung ein Urteil. Fehlalarme und gutartige zählen nicht mehr in der Risikozahl des Hosts, die Listen zeigen.',
    ],
    falsePositives: [
      'Defekter Speicher oder ein überhitzter Prozessor lässt Programme abstürzen, die nichts miteinander zu tun haben. Machine-Check-Zeilen im Kernel-Log oder ein Speichertest zeigen es.',
      'Das Update einer gemeinsamen Bibliothek lässt mehrere laufende Programme binnen Minuten abstürzen. Das Protokoll der Paketverwaltung sagt es.',
      'Ein Host für Absturztests oder Fuzzing: Legen Sie eine Ausnahme für den Host an, auch für die Regeln, deren Erkennungen sich summieren.',
    ],
  },
};
