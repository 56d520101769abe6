{{- define "tollgate.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "tollgate.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "tollgate.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "tollgate.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "tollgate.selector" -}}
app.kubernetes.io/name: {{ include "tollgate.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tollgate.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{ include "tollgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "tollgate.secret" -}}
{{- default (include "tollgate.fullname" .) .Values.secret.existingSecret -}}
{{- end -}}

{{- /* What cannot work is refused here, before anything is installed. */ -}}
{{- define "tollgate.check" -}}
{{- $own := not .Values.secret.existingSecret -}}
{{- $postgres := or .Values.usesPostgres (and $own .Values.secret.SQL_DSN) -}}
{{- if and (gt (int .Values.replicaCount) 1) (not $postgres) -}}
{{- fail "replicaCount above 1 needs PostgreSQL: set secret.SQL_DSN, or usesPostgres with an existing secret" -}}
{{- end -}}
{{- if and $own .Values.secret.SQL_DSN (not .Values.secret.CRYPTO_SECRET) -}}
{{- fail "PostgreSQL needs secret.CRYPTO_SECRET, the same for all pods: openssl rand -hex 24" -}}
{{- end -}}
{{- if and (gt (int .Values.replicaCount) 1) $own (not .Values.secret.TOLLGATE_ROOT_PASSWORD) -}}
{{- fail "replicaCount above 1 needs secret.TOLLGATE_ROOT_PASSWORD" -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled $own (not .Values.secret.METRICS_TOKEN) -}}
{{- fail "serviceMonitor needs secret.METRICS_TOKEN" -}}
{{- end -}}
{{- end -}}
