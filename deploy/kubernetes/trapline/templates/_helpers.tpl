{{/* Name of the release, the beginning of the name of every object. */}}
{{- define "trapline.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Name of a component's objects. Takes (dict "root" $ "component" NAME), as all helpers below. */}}
{{- define "trapline.name" -}}
{{- printf "%s-%s" (include "trapline.fullname" .root) .component -}}
{{- end -}}

{{- define "trapline.selectorLabels" -}}
app.kubernetes.io/name: trapline
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "trapline.labels" -}}
{{ include "trapline.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "trapline.metadata" -}}
name: {{ include "trapline.name" . }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "trapline.labels" . | nindent 2 }}
{{- end -}}

{{/* Reference of an image: by its digest if there is one. Takes (dict "root" $ "image" VALUES). */}}
{{- define "trapline.image" -}}
{{- if .image.digest -}}
{{- printf "%s@%s" .image.repository .image.digest -}}
{{- else -}}
{{- printf "%s:%s" .image.repository (.image.tag | default .root.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/*
Those entries of a map, by the names of settings, that a component reads: `ingest` and `migrate` use the stores of events and PostgreSQL alone.
Takes (dict "component" NAME "entries" MAP). Returns YAML.
*/}}
{{- define "trapline.entriesOf" -}}
{{- $stores := "^((KAFKA|SCHEMA_REGISTRY|CLICKHOUSE|TRAPLINE)_.*|DATABASE_URL|LOG_LEVEL|LOG_FORMAT)$" -}}
{{- $chosen := dict -}}
{{- $component := .component -}}
{{- range $name, $entry := .entries -}}
{{- if and (hasPrefix "TRAPLINE_TLS_" $name) (ne $component "api") -}}
{{- /* Only api serves HTTPS. */ -}}
{{- else if or (has $component (list "api" "worker")) (and (regexMatch $stores $name) (not (has $name (list "TRAPLINE_MODEL_API_KEY" "TRAPLINE_API_KEY")))) -}}
{{- $_ := set $chosen $name $entry -}}
{{- end -}}
{{- end -}}
{{- $chosen | toYaml -}}
{{- end -}}

{{/* The settings of a component: those of all, then its own. Returns YAML. */}}
{{- define "trapline.settings" -}}
{{- $common := include "trapline.entriesOf" (dict "component" .component "entries" .root.Values.settings) | fromYaml -}}
{{- mergeOverwrite $common ((index .root.Values .component).settings | default dict) | toYaml -}}
{{- end -}}

{{/* The secrets of a component. Returns YAML. */}}
{{- define "trapline.secrets" -}}
{{- include "trapline.entriesOf" (dict "component" .component "entries" .root.Values.secrets) -}}
{{- end -}}

{{/* Environment of a container: settings as values, secrets as the paths of files. A number of the values is a float64, which prints as 1e+06. */}}
{{- define "trapline.env" -}}
{{- range $name, $value := include "trapline.settings" . | fromYaml }}
- name: {{ $name }}
  value: {{ ternary (int64 $value | toString) (toString $value) (kindIs "float64" $value) | quote }}
{{- end }}
{{- range $name, $source := include "trapline.secrets" . | fromYaml }}
- name: {{ ternary $name (printf "%s_FILE" $name) (hasSuffix "_FILE" $name) }}
  value: /run/secrets/trapline/{{ $name }}
{{- end }}
{{- end -}}

{{/* Volumes of a pod: the secrets as files, and /tmp, which must be writable. */}}
{{- define "trapline.volumes" -}}
{{- $secrets := include "trapline.secrets" . | fromYaml -}}
- name: tmp
  emptyDir:
    sizeLimit: {{ .root.Values.tmpSizeLimit }}
{{- if $secrets }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
    {{- range $name, $source := $secrets }}
    {{- if $source.configMap }}
    - configMap:
        name: {{ $source.configMap }}
        items: [{ key: {{ $source.key | quote }}, path: {{ $name }} }]
    {{- else }}
    - secret:
        name: {{ $source.secret }}
        items: [{ key: {{ $source.key | quote }}, path: {{ $name }} }]
    {{- end }}
    {{- end }}
{{- end }}
{{- if and (eq .component "api") .root.Values.operatorKey.secret }}
- name: operator-key
  secret:
    secretName: {{ .root.Values.operatorKey.secret }}
    defaultMode: 0440
    items: [{ key: {{ .root.Values.operatorKey.key | quote }}, path: operator.key }]
{{- end }}
{{- end -}}

{{- define "trapline.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if include "trapline.secrets" . | fromYaml }}
- name: secrets
  mountPath: /run/secrets/trapline
  readOnly: true
{{- end }}
{{- if and (eq .component "api") .root.Values.operatorKey.secret }}
- name: operator-key
  mountPath: /var/lib/trapline
  readOnly: true
{{- end }}
{{- end -}}

{{- define "trapline.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "trapline.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Labels and annotations of a pod. */}}
{{- define "trapline.podMetadata" -}}
{{- $values := index .root.Values .component -}}
labels:
  {{- include "trapline.labels" . | nindent 2 }}
  {{- with mergeOverwrite (deepCopy .root.Values.podLabels) ($values.podLabels | default dict) }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with mergeOverwrite (deepCopy .root.Values.podAnnotations) ($values.podAnnotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Where a pod runs and under which account. */}}
{{- define "trapline.podPlacement" -}}
{{- $values := index .root.Values .component -}}
serviceAccountName: {{ .root.Values.serviceAccountName }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Template of the pods of `api`, `ingest` and `worker`. */}}
{{- define "trapline.podTemplate" -}}
{{- $values := index .root.Values .component -}}
metadata:
  {{- include "trapline.podMetadata" . | nindent 2 }}
spec:
  {{- include "trapline.podPlacement" . | nindent 2 }}
  {{- if $values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml $values.topologySpreadConstraints | nindent 4 }}
  {{- else }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "trapline.selectorLabels" . | nindent 10 }}
  {{- end }}
  securityContext:
    {{- include "trapline.podSecurityContext" . | nindent 4 }}
  # More than the drain period and the 10 seconds in which a process ends.
  terminationGracePeriodSeconds: {{ add ($values.drainSeconds | default 0) 20 }}
  containers:
    - name: {{ .component }}
      image: {{ include "trapline.image" (dict "root" .root "image" .root.Values.image) }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [{{ .component }}]
      env:
        {{- if ne .component "worker" }}
        - name: TRAPLINE_SEAT
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
        {{- end }}
        {{- if $values.drainSeconds }}
        - name: TRAPLINE_DRAIN_SECONDS
          value: {{ $values.drainSeconds | quote }}
        {{- end }}
        {{- include "trapline.env" . | trim | nindent 8 }}
      ports:
        - name: http
          containerPort: 8080
        {{- if and (eq .component "api") (include "trapline.servesTls" .root) }}
        - name: https
          containerPort: 8443
        {{- end }}
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 10
        failureThreshold: 6
      # Reports this pod alone: a store that is unavailable or slow leaves all pods in their Service. The response takes up to 2 s then.
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 2
        timeoutSeconds: 10
        failureThreshold: 3
      resources:
        {{- toYaml $values.resources | nindent 8 }}
      securityContext:
        {{- include "trapline.containerSecurityContext" . | nindent 8 }}
      volumeMounts:
        {{- include "trapline.volumeMounts" . | nindent 8 }}
  volumes:
    {{- include "trapline.volumes" . | nindent 4 }}
{{- end -}}

{{/* Whether an autoscaler sets the number of pods. Empty: no. */}}
{{- define "trapline.autoscaled" -}}
{{- if ne (index .root.Values .component).autoscaling.by "none" -}}true{{- end -}}
{{- end -}}

{{/* Whether `api` serves HTTPS. Takes the root. Empty: no. */}}
{{- define "trapline.servesTls" -}}
{{- if hasKey (.Values.secrets | default dict) "TRAPLINE_TLS_CERT_FILE" -}}true{{- end -}}
{{- end -}}
