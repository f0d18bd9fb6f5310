{{- define "rowhouse.name" -}}
{{- if contains "rowhouse" .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-rowhouse" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "rowhouse.selector" -}}
app.kubernetes.io/name: rowhouse
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "rowhouse.labels" -}}
{{ include "rowhouse.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
