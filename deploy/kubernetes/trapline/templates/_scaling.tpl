{{/* PodDisruptionBudget and autoscaler of a component. Takes (dict "root" $ "component" NAME "kind" KIND). */}}
{{- define "trapline.disruptionBudget" -}}
{{- $values := index .root.Values .component -}}
{{- if $values.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "trapline.metadata" . | nindent 2 }}
spec:
  maxUnavailable: {{ $values.podDisruptionBudget.maxUnavailable }}
  # A pod that is not ready serves nothing: it does not keep a node from being drained.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "trapline.selectorLabels" . | nindent 6 }}
{{- end }}
{{- end -}}

{{- define "trapline.autoscaler" -}}
{{- $scaling := (index .root.Values .component).autoscaling -}}
{{- if eq $scaling.by "hpa" }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "trapline.metadata" . | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: {{ .kind }}
    name: {{ include "trapline.name" . }}
  minReplicas: {{ $scaling.minReplicas }}
  maxReplicas: {{ $scaling.maxReplicas }}
  metrics:
    {{- if $scaling.metrics }}
    {{- toYaml $scaling.metrics | nindent 4 }}
    {{- else }}
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $scaling.targetCpuPercent }}
    {{- end }}
{{- else if eq $scaling.by "keda" }}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  {{- include "trapline.metadata" . | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: {{ .kind }}
    name: {{ include "trapline.name" . }}
  minReplicaCount: {{ $scaling.minReplicas }}
  maxReplicaCount: {{ $scaling.maxReplicas }}
  pollingInterval: {{ $scaling.keda.pollingInterval }}
  cooldownPeriod: {{ $scaling.keda.cooldownPeriod }}
  triggers:
    {{- if eq .component "ingest" }}
    {{- $settings := include "trapline.settings" . | fromYaml }}
    - type: kafka
      metadata:
        bootstrapServers: {{ $settings.KAFKA_BROKERS | quote }}
        consumerGroup: {{ $settings.TRAPLINE_GROUP_ID | default "trapline" | quote }}
        topic: {{ printf "%sevents.v1" ($settings.TRAPLINE_TOPIC_PREFIX | default "") | quote }}
        lagThreshold: {{ $scaling.keda.lagThreshold | int64 | quote }}
        # A consumer group that has committed nothing yet reads from the beginning.
        offsetResetPolicy: earliest
      {{- with $scaling.keda.authenticationRef }}
      authenticationRef:
        name: {{ . }}
      {{- end }}
    {{- end }}
    {{- with $scaling.keda.triggers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end -}}
