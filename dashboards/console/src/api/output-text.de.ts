/** German translations of API texts about kinds of outputs and their settings, by the English text. */
export const OUTPUT_TEXT_GERMAN: Readonly<Record<string, string>> = {
  // Kinds of outputs.
  'Appends one line for each detection to a file on the server, for the collector of a SIEM.':
    'Hängt für jede Erkennung eine Zeile an eine Datei auf dem Server an, für den Collector eines SIEM.',
  'Creates an alert for each detection, and closes it when the detection is closed.':
    'Erstellt für jede Erkennung einen Alarm und schließt ihn, wenn die Erkennung geschlossen wird.',
  'Creates an incident for each detection, and adds a work note when the detection continues or is closed.':
    'Erstellt für jede Erkennung einen Incident und ergänzt eine Arbeitsnotiz, wenn sie weitergeht oder geschlossen wird.',
  'Creates an issue for each detection, and comments on it when the detection continues or is closed.':
    'Erstellt für jede Erkennung einen Vorgang und kommentiert ihn, wenn sie weitergeht oder geschlossen wird.',
  'Posts a short text to the incoming webhook of a chat channel.':
    'Sendet einen kurzen Text an den eingehenden Webhook eines Chat-Kanals.',
  'Posts each detection as an adaptive card through a Teams workflow.':
    'Sendet jede Erkennung als Adaptive Card über einen Teams-Workflow.',
  'Posts each detection as signed JSON.': 'Sendet jede Erkennung als signiertes JSON.',
  'Posts each detection to a Slack channel, as a bot.': 'Sendet jede Erkennung als Bot in einen Slack-Kanal.',
  'Pushes one log line (JSON) for each detection.': 'Sendet für jede Erkennung eine Logzeile (JSON).',
  'Sends an e-mail for each detection through the mail server of this installation.':
    'Sendet für jede Erkennung eine E-Mail über den Mailserver dieser Installation.',
  'Sends one event for each detection to an HTTP Event Collector.':
    'Sendet für jede Erkennung ein Ereignis an einen HTTP Event Collector.',
  'Sends one log record (OTLP, HTTP with JSON) for each detection.':
    'Sendet für jede Erkennung einen Logeintrag (OTLP, HTTP mit JSON).',
  'Sends one message (RFC 5424) for each detection over TCP or TLS, as SIEMs accept it.':
    'Sendet für jede Erkennung eine Nachricht (RFC 5424) über TCP oder TLS, wie SIEMs sie annehmen.',
  'Sends one record for each detection to a topic of the brokers that this installation uses.':
    'Sendet für jede Erkennung einen Record an ein Topic der Broker, die diese Installation benutzt.',
  'Starts workflows that listen for events of this output.':
    'Startet Workflows, die auf Ereignisse dieser Ausgabe warten.',
  'Triggers an incident for each detection, and resolves it when the detection is closed.':
    'Löst für jede Erkennung einen Incident aus und beendet ihn, wenn die Erkennung geschlossen wird.',
  'Writes detections as Parquet objects to a bucket, for data lakes.':
    'Schreibt Erkennungen als Parquet-Objekte in einen Bucket, für Data Lakes.',
  'Writes one document (Elastic Common Schema) for each detection by the bulk API.':
    'Schreibt für jede Erkennung ein Dokument (Elastic Common Schema) über die Bulk-API.',
  'this installation has no Kafka: set KAFKA_BROKERS': 'diese Installation hat kein Kafka: Setzen Sie KAFKA_BROKERS',
  'this installation has no directory for files: set TRAPLINE_OUTPUT_DIR':
    'diese Installation hat kein Verzeichnis für Dateien: Setzen Sie TRAPLINE_OUTPUT_DIR',
  'this installation has no mail server: set SMTP_URL': 'diese Installation hat keinen Mailserver: Setzen Sie SMTP_URL',
  'this process cannot encode Parquet': 'dieser Prozess kann Parquet nicht schreiben',
  'this process runs no workflows': 'dieser Prozess führt keine Workflows aus',

  // Labels of their settings.
  'API key': 'API-Schlüssel',
  'API token': 'API-Token',
  'Access key id': 'ID des Zugriffsschlüssels',
  'Assignment group': 'Zuständige Gruppe',
  'Authorization header': 'Header Authorization',
  'Bot token': 'Bot-Token',
  'CA certificates': 'CA-Zertifikate',
  Channel: 'Kanal',
  'Client certificate': 'Client-Zertifikat',
  'Client key': 'Client-Schlüssel',
  Documents: 'Dokumente',
  Endpoint: 'Endpunkt',
  'E-mail': 'E-Mail',
  File: 'Datei',
  'File name': 'Dateiname',
  Instance: 'Instanz',
  'Index or data stream': 'Index oder Data Stream',
  'Integration key': 'Integrationsschlüssel',
  'Issue type': 'Vorgangstyp',
  'OpenTelemetry logs': 'OpenTelemetry-Logs',
  Password: 'Passwort',
  Prefix: 'Präfix',
  Project: 'Projekt',
  Recipients: 'Empfänger',
  'Secret access key': 'Geheimer Zugriffsschlüssel',
  'Server name': 'Servername',
  'Signing key': 'Signaturschlüssel',
  'Source type': 'Quelltyp',
  Table: 'Tabelle',
  Tenant: 'Mandant',
  User: 'Benutzer',
  'Wait for acknowledgement': 'Auf Bestätigung warten',
  'Webhook URL': 'Webhook-URL',

  // Descriptions of their settings.
  '0 to 23 (RFC 5424); 13 is log audit': '0 bis 23 (RFC 5424); 13 ist log audit',
  'API token of the account': 'API-Token des Kontos',
  'URL of an S3-compatible store, such as MinIO; default: Amazon S3':
    'URL eines S3-kompatiblen Speichers, etwa MinIO; Standard: Amazon S3',
  'Address of the API. For accounts in the EU: https://api.eu.opsgenie.com':
    'Adresse der API. Für Konten in der EU: https://api.eu.opsgenie.com',
  'Address of the Jira Cloud site, such as https://example.atlassian.net':
    'Adresse der Site von Jira Cloud, etwa https://example.atlassian.net',
  'Address of the instance, such as https://example.service-now.com':
    'Adresse der Instanz, etwa https://example.service-now.com',
  'An existing topic of the brokers that this installation uses':
    'Ein vorhandenes Topic der Broker, die diese Installation benutzt',
  'ApiKey with an encoded API key, or Basic with user and password in base64. It needs the privilege to write to the target':
    'ApiKey mit einem kodierten API-Schlüssel, oder Basic mit Benutzer und Passwort in Base64. Nötig ist das Recht, in das Ziel zu schreiben',
  'Basic with user and password in base64, or Bearer with a token':
    'Basic mit Benutzer und Passwort in Base64, oder Bearer mit einem Token',
  'Prefix of the object names': 'Präfix der Objektnamen',
  'Bot token of a Slack app with the scope chat:write (xoxb-…)':
    'Bot-Token einer Slack-App mit dem Scope chat:write (xoxb-…)',
  'Content of the message': 'Inhalt der Nachricht',
  'Data stream: one document for each message': 'Data Stream: ein Dokument je Nachricht',
  'Default: the index of the token': 'Standard: der Index des Tokens',
  'E-mail address of the account that creates issues': 'E-Mail-Adresse des Kontos, das Vorgänge erstellt',
  'E-mail addresses, separated by commas; at most 10': 'E-Mail-Adressen, durch Kommas getrennt; höchstens 10',
  'Each detection is posted to this URL as JSON': 'Jede Erkennung wird als JSON an diese URL gesendet',
  'Elasticsearch or OpenSearch, such as https://elastic.example.org:9200':
    'Elasticsearch oder OpenSearch, etwa https://elastic.example.org:9200',
  'Events API v2. For accounts in the EU: https://events.eu.pagerduty.com/v2/enqueue':
    'Events API v2. Für Konten in der EU: https://events.eu.pagerduty.com/v2/enqueue',
  'Name in the certificate of the receiver; default: the host': 'Name im Zertifikat des Empfängers; Standard: der Host',
  'Grafana Loki, such as https://loki.example.org:3100': 'Grafana Loki, etwa https://loki.example.org:3100',
  'HTTP Event Collector, such as https://splunk.example.org:8088':
    'HTTP Event Collector, etwa https://splunk.example.org:8088',
  'Id of the channel, such as C0123456789. The app must be a member of it':
    'ID des Kanals, etwa C0123456789. Die App muss Mitglied des Kanals sein',
  'In the directory TRAPLINE_OUTPUT_DIR of the server. Created when it is missing; rotate it by renaming':
    'Im Verzeichnis TRAPLINE_OUTPUT_DIR des Servers. Wird angelegt, wenn sie fehlt; rotieren Sie sie durch Umbenennen',
  'Index: one document for each detection, its newest revision':
    'Index: ein Dokument je Erkennung, ihre neueste Revision',
  'Integration key of a service with an Events API v2 integration (32 characters)':
    'Integrationsschlüssel eines Service mit einer Integration der Events API v2 (32 Zeichen)',
  'JSON with a field text: Slack, Mattermost and others': 'JSON mit einem Feld text: Slack, Mattermost und andere',
  'JSON, as webhooks receive it': 'JSON, wie Webhooks es erhalten',
  'Key of an API integration that may create and close alerts':
    'Schlüssel einer API-Integration, die Alarme erstellen und schließen darf',
  'Key of the client certificate, PEM': 'Schlüssel des Client-Zertifikats, PEM',
  'Key of the project, such as SEC': 'Kürzel des Projekts, etwa SEC',
  'Method chat.postMessage of the Slack Web API': 'Methode chat.postMessage der Slack Web API',
  'Name of an existing bucket': 'Name eines vorhandenen Buckets',
  'Name of an issue type of the project': 'Name eines Vorgangstyps des Projekts',
  'Name of the account that creates records': 'Name des Kontos, das Datensätze erstellt',
  'Name of the table, such as incident or sn_si_incident': 'Name der Tabelle, etwa incident oder sn_si_incident',
  'Name of the target; it is created by a template of the cluster':
    'Name des Ziels; eine Vorlage des Clusters legt es an',
  'Name or IP address of the receiver': 'Name oder IP-Adresse des Empfängers',
  'Name or sys_id of the group that gets the record': 'Name oder sys_id der Gruppe, die den Datensatz erhält',
  'OTLP over HTTP for logs, such as https://collector.example.org:4318/v1/logs':
    'OTLP über HTTP für Logs, etwa https://collector.example.org:4318/v1/logs',
  'Access key id of an account with permission to write objects':
    'ID des Zugriffsschlüssels eines Kontos, das Objekte schreiben darf',
  'One line for each message': 'Eine Zeile je Nachricht',
  'PEM; its key is the secret `key`': 'PEM; sein Schlüssel ist das Geheimnis `key`',
  'Password of the account': 'Passwort des Kontos',
  'Plain text': 'Reiner Text',
  'RFC 5425. Without TLS, anyone on the network path can read the messages':
    'RFC 5425. Ohne TLS kann jeder auf dem Netzwerkpfad die Nachrichten lesen',
  'Region of the bucket, such as eu-central-1': 'Region des Buckets, etwa eu-central-1',
  'Secret of the access key': 'Geheimnis des Zugriffsschlüssels',
  'Signs `timestamp.body` with HMAC-SHA-256 in the header x-trapline-signature; at least 16 characters':
    'Signiert `timestamp.body` mit HMAC-SHA-256 im Header x-trapline-signature; mindestens 16 Zeichen',
  'Source type of the events': 'Quelltyp der Ereignisse',
  'The incoming webhook of the chat channel. Anyone who knows it can post':
    'Der eingehende Webhook des Chat-Kanals. Wer ihn kennt, kann dort schreiben',
  'Token of the HTTP Event Collector': 'Token des HTTP Event Collector',
  'Trusted certificate authorities, PEM; default: those of the system':
    'Vertrauenswürdige Zertifizierungsstellen, PEM; Standard: die des Systems',
  'URL of a Teams workflow with the trigger "When a Teams webhook request is received". Anyone who knows it can post':
    'URL eines Teams-Workflows mit dem Trigger „When a Teams webhook request is received“. Wer sie kennt, kann dort schreiben',
  'Usually 6514 with TLS, 601 or 514 without': 'Meist 6514 mit TLS, 601 oder 514 ohne',
  'Value of the header Authorization': 'Wert des Headers Authorization',
  'Value of the header Authorization, where the receiver demands one':
    'Wert des Headers Authorization, wenn der Empfänger ihn verlangt',
  'Value of the header X-Scope-OrgID, for Loki with several tenants':
    'Wert des Headers X-Scope-OrgID, für Loki mit mehreren Mandanten',
  'Waits until the indexer has stored the events. Indexer acknowledgement must be on for the token':
    'Wartet, bis der Indexer die Ereignisse gespeichert hat. Für den Token muss „Indexer Acknowledgement“ eingeschaltet sein',
};
