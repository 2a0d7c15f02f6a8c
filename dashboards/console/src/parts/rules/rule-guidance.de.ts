import type { RuleGuidance, ShippedRule } from './shipped-rule.ts';

/** German translations of the API's English texts about the shipped rules. */
export const RULE_GUIDANCE_GERMAN: Readonly<Record<ShippedRule, RuleGuidance>> = {
  'instruction-pointer-probe': {
    summary:
      'Der Befehlszeiger der Abstürze eines Programms wandert systematisch: in Schritten von 1 bis 16 Byte, über viele Stellen seines Codes, von Seite zu Seite oder zwischen vielen nicht belegten Adressen. Die Reihenfolge spielt keine Rolle. Ein Angreifer sucht Sprungziele.',
    nextChecks: [
      'Vergleichen Sie die Zeiten der Abstürze mit dem Zugriffsprotokoll des Programms. Welcher Client hat sich kurz vor jedem Absturz verbunden? Sperren Sie ihn am Rand des Netzes.',
      'Prüfen Sie, ob die Abstürze aufgehört haben. Ein Scan, der von selbst endet, war vermutlich erfolgreich. Behandeln Sie den Host ab diesem Zeitpunkt als kompromittiert: Suchen Sie nach neuen Prozessen, ausgehenden Verbindungen und geänderten Dateien des Benutzers, unter dem das Programm läuft.',
      'Rechnen Sie die Abstürze hinzu, die der Kernel nicht protokolliert hat (`suppressedAtLeast`). Er gibt in fünf Sekunden etwa zehn solche Zeilen aus; es gab also mehr Versuche, als er protokolliert hat. Ein Absturz, von dem nur der Registerauszug protokolliert wurde, zählt als protokolliert (`crashes`).',
      'Schlagen Sie die abgesuchten Adressen (`values`) im Programm nach (`addr2line -e FILE ADDRESS`, `objdump -d`). Schritte von 16 Byte in der Procedure Linkage Table sind die späte Phase eines Angriffs mit Blind Return-Oriented Programming.',
      'Sichern Sie einen Core-Dump und die Programmdatei. Starten Sie das Programm dann neu: Nur eine neue Ausführung erhält ein neues Speicherlayout und einen neuen Canary. Kindprozesse, die es forkt, behalten die alten.',
      'Suchen Sie auf anderen Hosts nach Abstürzen desselben Programms zur selben Zeit.',
    ],
    falsePositives: [
      'Ein Fuzzer oder ein Absturztest in einer Entwicklungsumgebung, der viele Fehler auf einmal findet. Seine Abstürze liegen an vielen Stellen, aber ein bekannter Benutzer führt ihn aus. Der Schweregrad wird niedrig, wenn die Abstürze im Mittel dreimal an jede Stelle zurückkehren. Legen Sie eine befristete Ausnahme für den Host oder das Programm an.',
      'Eine beschädigte Programmdatei, defekter Speicher oder ein instabiler Prozessor. Der Schweregrad bleibt mittel, solange jeder Absturz ein eigenes Speicherlayout hat. Er ist eine Stufe niedriger, solange fünf andere Programme des Hosts ebenfalls an zufälligen Stellen abstürzen.',
      'Eine Testsuite, die viele kleine Programme abstürzen lässt. Der Schweregrad ist eine Stufe niedriger, wie bei einem Fehler der Maschine.',
      'Viele Builds mit demselben Namen, etwa `conftest` von Configure-Skripten, oder ein Programm, das korrigiert und erneut ausprobiert wird. Der Fehler verschiebt sich mit jedem Build um einige Byte. Der Schweregrad bleibt mittel. Legen Sie auf Build-Hosts eine Ausnahme für das Programm an.',
      'Ein Just-in-time-Compiler im Test, der fehlerhaften Code erzeugt. Die Adressen gehören zu keiner Datei und ändern sich von Lauf zu Lauf. Solcher Code zählt nur, wo der Kernel keine Dateien nennt: auf 32-Bit-ARM, bei alten Kerneln von arm64 und powerpc und in Registerauszügen ohne Trap-Zeilen.',
      'Ein forkender Server, der sowohl von falschen als auch an falsche Adressen kopiert. `memcpy` scheitert an 18 seiner Befehle, die nur wenige Byte auseinanderliegen. Etwa einer von 50 solchen Servern wird gemeldet.',
    ],
  },
  'memory-search': {
    summary:
      'Ein Befehl eines Programms liest oder schreibt Adressen, die ganze Seiten auseinanderliegen, eine je Prozess: in gleichen Abständen oder über ein Speicherlayout verteilt. Oder das Programm springt in gleichen Abständen an solche Adressen. Ein Angreifer sucht belegten Speicher, um das Speicherlayout zu erfahren.',
    nextChecks: [
      'Vergleichen Sie die Zeiten der Abstürze mit dem Zugriffsprotokoll des Programms. Welcher Client hat sich kurz vor jedem Absturz verbunden? Sperren Sie ihn am Rand des Netzes.',
      'Prüfen Sie, ob die Abstürze aufgehört haben. Eine Suche, die von selbst endet, hat vermutlich belegten Speicher gefunden. Gehen Sie davon aus, dass der Angreifer das Speicherlayout des Programms kennt.',
      'Schlagen Sie den Befehl im Programm nach (`addr2line -e FILE ADDRESS`). Er verwendet eine Adresse, die eine Anfrage setzen kann.',
      'Sichern Sie einen Core-Dump. Starten Sie das Programm dann neu: Nur eine neue Ausführung erhält ein neues Speicherlayout. Kindprozesse, die es forkt, behalten das alte.',
      'Suchen Sie auf anderen Hosts nach Abstürzen desselben Programms zur selben Zeit.',
    ],
    falsePositives: [
      'Ein forkendes Programm, das am Ende eines Speicherbereichs abstürzt, der zwischen allen Abstürzen um dieselbe Größe wächst.',
      'Ein Test des Speicherschutzes, der in jedem Kindprozess eine Seite berührt, etwa die Selbsttests des Kernels. Ein bekannter Benutzer führt ihn aus. Legen Sie eine befristete Ausnahme für den Host an.',
    ],
  },
  'register-value-probe': {
    summary:
      'RDI, RSI oder RIP in den Registerauszügen eines Programms ändert sich von Absturz zu Absturz in Schritten von 1, und die Werte sind keine Prozess- oder Thread-IDs. Ein Angreifer errät ein Byte des Stacks.',
    nextChecks: [
      'Sehen Sie sich die Werte an. Zählen sie ein Byte durch (256 Werte), und welches? Eine Folge im niedrigsten Byte, die im nächsten Byte von vorn beginnt, ist byteweises Auslesen des Stacks.',
      'Vergleichen Sie die Zeiten mit dem Zugriffsprotokoll des Programms. Suchen Sie den Client, dessen Anfragen dazu passen, und sperren Sie ihn.',
      'Suchen Sie nach einer Erkennung zum Befehlszeiger oder zum Stack-Canary desselben Programms. Die Phasen eines Angriffs folgen innerhalb von Minuten aufeinander.',
      'Prüfen Sie, ob das Programm mit Stack-Schutz und positionsunabhängig gebaut ist. Starten Sie es neu: Eine neue Ausführung erhält einen neuen Canary und ein neues Speicherlayout.',
      'Sichern Sie einen Core-Dump und prüfen Sie, was das Register enthielt. Ein Zähler des Programms ist harmlos, Bytes einer Anfrage sind es nicht.',
    ],
    falsePositives: [
      'Ein Programm, das mit einem eigenen Zähler im Register abstürzt, etwa der Zahl der Anfragen oder der Tiefe einer Rekursion. Von 1.024 bis 4 MiB, über Dateideskriptoren und unter Adressen, ist der Schweregrad niedrig. Andere Zähler laufen nach einem Neustart weiter.',
      'Prozess- und Thread-IDs sind ausgenommen. In einem Container mit eigenem PID-Namensraum werden sie womöglich nicht erkannt: Vergleichen Sie die Werte mit `ps` im Container.',
    ],
  },
  'stack-canary-probe': {
    summary:
      'Ein forkendes Programm bricht immer wieder aus demselben Speicherabbild ab, unter beliebigen Prozessnamen. Ein falsches Byte des Stack-Canarys kostet den Angreifer einen Kindprozess, und der Elternprozess forkt den nächsten mit demselben Canary.',
    nextChecks: [
      'Suchen Sie nach `*** stack smashing detected ***` in der Fehlerausgabe oder im Journal des Programms oder nach `__stack_chk_fail` im Backtrace eines Core-Dumps (`coredumpctl debug`). Beides bestätigt einen Angriff.',
      'Vergleichen Sie die Abbrüche mit dem Zugriffsprotokoll. Ein Angriff zeigt sich als ein Client, eine Verbindung je Abbruch und eine Anfrage, die Byte für Byte wächst. Sperren Sie den Client.',
      'Zählen Sie die Abbrüche. Ein Canary hat sieben unbekannte Byte mit je höchstens 256 Versuchen, zusammen im Mittel etwa 900. Enden die Abbrüche nach ungefähr so vielen, kennt der Angreifer den Canary. Suchen Sie als Nächstes nach einer Erkennung zum Befehlszeiger desselben Programms.',
      'Beenden Sie den Elternprozess und starten Sie ihn neu. Geforkte Kindprozesse teilen seinen Canary; eine neue Ausführung erhält einen anderen.',
      'Führen Sie als dauerhafte Abhilfe das Programm für jede Verbindung neu aus, statt es zu forken, und beheben Sie den Pufferüberlauf.',
    ],
    falsePositives: [
      'Ein Daemon, der im Voraus forkt und dessen Worker von selbst abbrechen (eine fehlgeschlagene Assertion bei einem fehlerhaften Auftrag) und ohne Pause neu geforkt werden. Das Kernel-Log sieht genauso aus. Die Fehlerausgabe nennt die Assertion, und die Abbrüche gehen ohne Client weiter. Fügen Sie vor dem Neustart eine Pause ein, oder legen Sie eine befristete Ausnahme an.',
      'Anfragen vieler Clients, die in geforkten Workern zu einer fehlgeschlagenen Assertion führen. Die Abbrüche kommen zu zufälligen Zeiten, und der Schweregrad bleibt mittel.',
      'Ein Fuzzer. Auch seine Abbrüche kommen zu zufälligen Zeiten, und das Programm stürzt wiederholt an mindestens acht anderen Stellen ab. Der Schweregrad ist niedrig.',
      'Ein Supervisor, der nicht antwortende Worker abbricht, wird nicht gemeldet, wenn Registerauszüge den Systemaufruf zeigen, wie auf x86-64.',
      'Ein geforktes Programm, das nicht auf Shadow-Stacks oder Zeiger-Authentifizierung vorbereitet ist, etwa weil es selbst den Stack wechselt. Der Prozessor weist jeden Aufruf an derselben Stelle zurück, auch ohne Clients. Bauen Sie es ohne `-fcf-protection` oder `-mbranch-protection`.',
      'Eine Testsuite mit Death-Tests (`EXPECT_DEATH`): ein bekannter Benutzer auf einem Build-Host.',
      'Ein Supervisor, der das Programm neu ausführt, wird nicht gemeldet: Jede Ausführung hat ein anderes Speicherlayout, sofern die Adressverwürfelung nicht abgeschaltet ist. Wenn nur Core-Dumps ohne Stack oder Audit-Einträge die Abbrüche melden, ist der Schweregrad niedrig. Dasselbe gilt für Go-Programme, die mit einer Version vor Go 1.26 gebaut sind: Sie haben in jeder Ausführung dasselbe Layout.',
    ],
  },
  'suppressed-crash-burst': {
    summary:
      'Der Kernel hat weit mehr Absturzmeldungen eines Hosts unterdrückt als ausgegeben. Dort stürzen Programme so häufig ab, dass die ausgegebenen Zeilen nur einen kleinen Teil zeigen.',
    nextChecks: [
      'Finden Sie das Programm. Listen Sie die letzten Abstürze auf, die der Kernel auf diesem Host ausgegeben hat (`trapline query events --hostname HOST --type LinuxKernelTrap`), und prüfen Sie, welcher Dienst am häufigsten neu startet (`systemctl`, die Container-Laufzeit).',
      'Setzen Sie `kernel.print-fatal-signals=1` auf dem Host. Für diese Auszüge gilt keine Ratenbegrenzung; in den nächsten Minuten sehen Sie daher jeden Absturz mit seinen Registern.',
      'Vergleichen Sie die Zeit mit den Zugriffsprotokollen der Dienste des Hosts. Tausende Abstürze in der Minute erfordern Tausende Anfragen.',
      'Suchen Sie nach einer Erkennung eines Scans auf dem Host, die später geöffnet wurde. Sie zeigt denselben Angriff genauer.',
    ],
    falsePositives: [
      'Ein Supervisor ohne Pause startet ein Programm neu, das sofort abstürzt. Die wenigen ausgegebenen Zeilen zeigen dann jedes Mal dieselbe Adresse.',
      'Ein Fuzzing-Auftrag. Führen Sie ihn auf einem eigenen Host aus, und legen Sie eine befristete Ausnahme an.',
    ],
  },
  'detector-tampering': {
    summary:
      'Der Detektor hatte eine Kernel-Einstellung eingeschaltet, damit Abstürze Belege hinterlassen. Die Einstellung wurde auf einen Wert geändert, der sie verbirgt.',
    nextChecks: [
      'Klären Sie, wer die Einstellung geändert hat: Konfigurationsverwaltung, ein Paket-Update, ein Administrator oder eine unbekannte Person. Die Änderung erfordert root; eine unbekannte Änderung bedeutet also, dass ein Angreifer root hat.',
      'Prüfen Sie die letzten Anmeldungen, `sudo`-Einträge und Shell-Verläufe des Hosts zu dieser Zeit und die Dateien in `/etc/sysctl.d`.',
      'Schalten Sie die Einstellung wieder ein (`trapline detect --configure`), und beobachten Sie, ob sie erneut geändert wird.',
      'Behandeln Sie den Host seit dem letzten Ereignis mit der richtigen Einstellung als unbeobachtet. Suchen Sie nach Scans des Hosts kurz vor dieser Zeit.',
    ],
    falsePositives: [
      'Zwei Werkzeuge verwalten dieselbe Einstellung, etwa eine Härtungsrolle, die `kernel.print-fatal-signals=0` setzt. Entfernen Sie die Einstellung aus einem der beiden.',
      'Ein Neustart. Zur Laufzeit gesetzte Einstellungen sind verloren, bis der Detektor wieder startet.',
    ],
  },
  'unmapped-jump': {
    summary:
      'Ein Programm, das nach jedem Absturz neu ausgeführt wird, springt in Speicher ohne Code: bei jedem Speicherlayout an dieselbe Adresse, in nicht belegten Speicher in seiner Umgebung oder an Adressen, die ein defekter Zeiger nicht erklärt. Ein Angreifer rät, wo Code liegt.',
    nextChecks: [
      'Vergleichen Sie die Zeiten mit dem Zugriffsprotokoll des Programms. Welcher Client hat sich kurz vor jedem Absturz verbunden? Sperren Sie ihn am Rand des Netzes.',
      'Prüfen Sie, ob die Abstürze aufgehört haben. Haben sie von selbst aufgehört, war ein Versuch vermutlich richtig. Behandeln Sie den Host ab diesem Zeitpunkt als kompromittiert.',
      'Prüfen Sie, ob das Programm ein 64-Bit-Programm und positionsunabhängig ist. Ein 32-Bit-Speicherlayout hat einige Hundert Varianten, und eine davon zu erraten dauert Minuten.',
      'Suchen Sie im Changelog des Programms nach der Korrektur eines Speicherfehlers, die zu diesem Absturz passt, und aktualisieren Sie das Programm.',
    ],
    falsePositives: [
      'Ein nicht initialisierter Funktionszeiger. Er enthält, was vorher auf dem Stack oder Heap lag. Ein Core-Dump zeigt den Aufruf.',
      'Ein Plug-in, das entladen wurde, während das Programm es noch aufruft. Die Adresse liegt dort, wo die Bibliothek war.',
      'Ein Programm, das seinen eigenen Code im falschen Abstand aufruft, oder ein Just-in-time-Compiler, der Code in der Umgebung des Programms entfernt, während er aufgerufen wird. Die Sprünge verfehlen das Programm an einer Stelle der Seite.',
    ],
  },
  'sensitive-program-crash': {
    summary:
      'Ein Programm, das Benutzer authentifiziert, Rechte vergibt oder andere Programme startet, ist abgestürzt. Solche Programme stürzen selten von selbst ab: auf einem gewöhnlichen Host etwa einmal im Jahr.',
    nextChecks: [
      'Prüfen Sie, was das Programm getan hat: seine Protokollzeilen kurz vor dem Absturz, den Benutzer und den Client (`journalctl _COMM=PROGRAM`).',
      'Sichern Sie den Core-Dump (`coredumpctl info`), und sehen Sie sich die obersten Frames an. Eine Funktion, die Eingaben parst, deutet auf einen Angriff, eine gerade aktualisierte Bibliothek nicht.',
      'Prüfen Sie, ob das Paket aktuell ist. Suchen Sie in den Sicherheitshinweisen des Programms nach der Funktion, die abgestürzt ist.',
      'Suchen Sie nach neuen Sitzungen, `sudo`-Einträgen und Set-User-ID-Dateien auf dem Host nach dem Absturz.',
    ],
    falsePositives: [
      'Ein Update hat eine Bibliothek des laufenden Programms ersetzt. Der Absturz folgt Sekunden nach dem Eintrag im Protokoll der Paketverwaltung.',
      'Defekter Speicher oder ein instabiler Prozessor. Auch andere, davon unabhängige Programme des Hosts stürzen ab, und das Kernel-Log enthält Machine-Check-Zeilen.',
      'Zu wenig Speicher. Der Out-of-Memory-Killer oder eine fehlgeschlagene Allokation beendet das Programm, und das Kernel-Log zeigt es.',
    ],
  },
  'kernel-fault': {
    summary:
      'Der Kernel hat einen eigenen Fehler gemeldet: Er hat abgelehnt, was Exploits tun, beschädigten Speicher gefunden oder ist ausgefallen, während er für ein Programm arbeitete. Ein gescheiterter Exploit des Kernels hinterlässt diese Spur, aber auch Fehler von Treibern tun das.',
    nextChecks: [
      'Lesen Sie die vollständige Meldung (`journalctl -k`, der Ordner von kdump oder `/sys/fs/pstore`). Sichern Sie sie, bevor der Host neu startet.',
      'Suchen Sie das Programm, das die Meldung nennt: Programmdatei, Benutzer, Elternprozess und Container. Ein neues oder unbekanntes Programm eines gewöhnlichen Benutzers deutet auf einen Angriff.',
      'Prüfen Sie, ob die Fehler aufgehört haben. Ein Exploit, der erneut versucht wird und dann keine Fehler mehr auslöst, war vermutlich erfolgreich: Behandeln Sie den Host ab diesem Zeitpunkt als kompromittiert.',
      'Suchen Sie in den Änderungslisten und Sicherheitshinweisen des Kernels nach der Funktion aus der Meldung, und installieren Sie die Korrektur. Nehmen Sie dem Exploit bis dahin, was er braucht, etwa User-Namespaces ohne Privilegien oder das Modul.',
      'Suchen Sie nach Set-User-ID-Dateien, geladenen Modulen, Konten und Prozessen von Root, die seit dem ersten Fehler neu sind.',
    ],
    falsePositives: [
      'Ein Fehler in einem Treiber oder Dateisystem. Die Meldung zeigt jedes Mal dieselbe Funktion, oft eines Moduls, und andere Hosts mit diesem Kernel melden ihn ebenfalls.',
      'Module, die nicht zum Kernel gehören, etwa Grafiktreiber oder ZFS. In der Meldung ist der Kernel als „tainted“ gekennzeichnet (P, O, E). Solche Fehler haben höchstens den Schweregrad mittel, bis sie wandern; ausgenommen ist die Ausführung von Benutzerspeicher.',
      'Defekter Speicher. Die Meldungen nennen Funktionen, die nichts miteinander zu tun haben, und davor stehen Machine-Check- oder EDAC-Meldungen. Ein Speichertest zeigt es.',
      'Tests des Kernels, etwa syzkaller oder LKDTM. Legen Sie eine Ausnahme für den Host an.',
    ],
  },
  'fleet-scan': {
    summary:
      'Ein Programm stürzt auf mehreren Hosts ab, auf jedem nur wenige Male und jedes Mal an einer anderen Stelle. Ein Load Balancer verteilt die Anfragen eines Angreifers, der Sprungziele sucht. Abstürze an derselben Stelle auf jedem Host sind ein fehlerhaftes Release und werden nicht gemeldet.',
    nextChecks: [
      'Listen Sie die Abstürze auf (`trapline query events --type LinuxKernelTrap --file FILE`), und vergleichen Sie ihre Zeiten mit dem Zugriffsprotokoll des Load Balancers. Suchen Sie nach einem Client oder einer Art von Anfragen kurz vor jedem Absturz.',
      'Sperren Sie den Client am Load Balancer, für den ganzen Pool. Eine Sperre auf einem Host verlagert den Scan auf die anderen.',
      'Prüfen Sie, ob die Abstürze aufgehört haben. Ein Scan, der von selbst endet, war vermutlich erfolgreich. Behandeln Sie jeden Host des Pools ab diesem Zeitpunkt als kompromittiert.',
      'Starten Sie das Programm auf allen Hosts neu, damit jede Ausführung ein neues Speicherlayout erhält. Hosts, die aus einem laufenden Abbild geklont wurden, teilen sich ein Layout: Starten Sie diese zuerst neu.',
      'Sichern Sie einen Core-Dump eines Hosts, und suchen Sie den Pufferüberlauf. Die Anfrage ist auf allen Hosts dieselbe.',
    ],
    falsePositives: [
      'Ein Programm mit vielen Fehlern auf vielen Hosts, etwa ein Browser auf Arbeitsplatzrechnern. Seine Abstürze liegen an vielen Stellen, gehen aber wochenlang mit derselben Häufigkeit weiter. Erhöhen Sie `minPlaces`, oder legen Sie eine Ausnahme für das Programm oder die Datei an. Eine Ausnahme für einen Host wirkt nicht, weil die Erkennung keinen Host hat.',
      'Ein fehlerhaftes Release stürzt auf jedem Host an denselben Stellen ab und wird nicht gemeldet. Wird es doch gemeldet, hat jeder Host einen anderen Build derselben Größe. Vergleichen Sie die Paketversionen.',
      'Fuzzing auf einem Cluster von Build-Hosts. Legen Sie eine befristete Ausnahme für das Programm an.',
    ],
  },
  'host-risk': {
    summary:
      'Mehrere verschiedene Anzeichen auf einem Host summieren sich, obwohl jedes für sich zu schwach für einen Alarm ist. Ein Anzeichen ist eine Regel für ein Programm. Ohne neue Belege verliert es in 24 Stunden die Hälfte seiner Punkte.',
    nextChecks: [
      'Lesen Sie die anderen Erkennungen dieses Hosts, die älteste zuerst. Gehören sie zusammen, etwa Scans eines Dienstes und danach der Absturz eines Programms, das Rechte vergibt?',
      'Vergleichen Sie die Zeiten der Anzeichen mit Anmeldungen, `sudo`-Einträgen und geänderten Dateien des Hosts.',
      'Prüfen Sie, ob andere Hosts mit denselben Programmen dieselben Anzeichen haben. Dann ist es eher ein fehlerhaftes Release als ein Angriff.',
      'Bewerten Sie jede Erkennung. Fehlalarme und harmlose Erkennungen zählen nicht mehr für den Risikowert des Hosts, den Listen zeigen.',
    ],
    falsePositives: [
      'Defekter Speicher oder ein überhitzter Prozessor lässt voneinander unabhängige Programme abstürzen. Machine-Check-Zeilen im Kernel-Log oder ein Speichertest zeigen es.',
      'Das Update einer gemeinsam genutzten Bibliothek lässt mehrere laufende Programme innerhalb von Minuten abstürzen. Das Protokoll der Paketverwaltung zeigt es.',
      'Ein Host für Absturztests oder Fuzzing. Legen Sie eine Ausnahme für den Host an, auch für die Regeln, deren Erkennungen sich summieren.',
    ],
  },
};
