{{/* What the schema of the values cannot express. Each message names the value. */}}
{{- define "trapline.validate" -}}
{{- $given := merge (dict) .Values.settings .Values.secrets -}}
{{- $runsStores := or .Values.api.enabled .Values.ingest.enabled .Values.worker.enabled -}}
{{- if and $runsStores (not (hasKey $given "CLICKHOUSE_URL")) -}}
{{- fail "settings.CLICKHOUSE_URL is missing: the chart runs no ClickHouse" -}}
{{- end -}}
{{- if and (or .Values.api.enabled .Values.worker.enabled) (not (hasKey $given "DATABASE_URL")) -}}
{{- fail "secrets.DATABASE_URL is missing: the chart runs no PostgreSQL" -}}
{{- end -}}
{{- if and (or .Values.api.enabled .Values.worker.enabled) (not (and (hasKey $given "AUTH_SECRET") (hasKey $given "JWT_SECRET"))) -}}
{{- fail "secrets.AUTH_SECRET and secrets.JWT_SECRET are needed: all processes share them" -}}
{{- end -}}
{{- if and .Values.ingest.enabled (not (hasKey $given "KAFKA_BROKERS")) -}}
{{- fail "settings.KAFKA_BROKERS is missing: set it, or ingest.enabled=false" -}}
{{- end -}}
{{- if and .Values.api.enabled (not (hasKey $given "REDIS_URL")) (or (gt (int .Values.api.replicas) 1) (ne .Values.api.autoscaling.by "none")) -}}
{{- fail "secrets.REDIS_URL is missing: several api pods count limits together in Redis. Set it, or api.replicas=1" -}}
{{- end -}}
{{- range $name, $_ := .Values.settings -}}
{{- if hasKey $.Values.secrets $name -}}
{{- fail (printf "%s is in settings and in secrets: set one of them" $name) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled .Values.api.enabled (not .Values.operatorKey.secret) -}}
{{- fail "operatorKey.secret is missing: Prometheus reads /metrics of api with the operator key" -}}
{{- end -}}
{{- if and .Values.detector.enabled (not .Values.detector.url) (not .Values.api.enabled) -}}
{{- fail "detector.url is missing: this release runs no api" -}}
{{- end -}}
{{- if and .Values.detector.enabled (not .Values.detector.apiKey.secret) -}}
{{- fail "detector.apiKey.secret is missing: a Secret with an API key that has the scope events:write" -}}
{{- end -}}
{{- if and .Values.detector.configureKernel (not .Values.detector.privileged) -}}
{{- fail "detector.configureKernel needs detector.privileged=true: /proc/sys is read-only in other containers" -}}
{{- end -}}
{{- if and .Values.worker.enabled (eq .Values.worker.autoscaling.by "keda") (not .Values.worker.autoscaling.keda.triggers) -}}
{{- fail "worker.autoscaling.keda.triggers is missing: the consumer lag is that of ingest" -}}
{{- end -}}
{{- if and .Values.api.enabled (eq .Values.api.autoscaling.by "keda") (not .Values.api.autoscaling.keda.triggers) -}}
{{- fail "api.autoscaling.keda.triggers is missing: the consumer lag is that of ingest" -}}
{{- end -}}
{{- end -}}
