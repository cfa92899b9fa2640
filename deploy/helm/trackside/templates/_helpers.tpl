{{- /* At most 52 characters, because Kubernetes adds up to 11 to the name of a StatefulSet, and allows 63. */ -}}
{{- define "trackside.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "trackside.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "trackside.labels" -}}
{{ include "trackside.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "trackside.claim" -}}
{{- .Values.persistence.existingClaim | default (include "trackside.name" .) -}}
{{- end -}}

{{- define "trackside.kind" -}}
{{- .Values.cluster.enabled | ternary "StatefulSet" "Deployment" -}}
{{- end -}}

{{- /* What kubectl calls the servers. */ -}}
{{- define "trackside.workload" -}}
{{- printf "%s/%s" (include "trackside.kind" . | lower) (include "trackside.name" .) -}}
{{- end -}}

{{- define "trackside.volume" -}}
accessModes: [ReadWriteOnce]
{{- with .Values.persistence.storageClassName }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests:
    storage: {{ .Values.persistence.size }}
{{- end -}}

{{- /* What a secret's key is called as a setting. */ -}}
{{- define "trackside.secretVariable" -}}
{{- $variables := dict
  "admin-password" "TRACKSIDE_ADMIN_PASSWORD_FILE"
  "metrics-token" "TRACKSIDE_METRICS_TOKEN_FILE"
  "database-url" "TRACKSIDE_DATABASE_URL_FILE"
  "clickhouse-url" "TRACKSIDE_CLICKHOUSE_URL_FILE"
  "clickhouse-password" "TRACKSIDE_CLICKHOUSE_PASSWORD_FILE"
  "secret-key" "TRACKSIDE_SECRET_KEY_FILE" -}}
{{- if not (hasKey $variables .) -}}
{{- fail (printf "secretKeys: expected %s, got %q." (keys $variables | sortAlpha | join ", ") .) -}}
{{- end -}}
{{- get $variables . -}}
{{- end -}}

{{- define "trackside.checkValues" -}}
{{- if and (gt (int .Values.replicaCount) 1) (not .Values.cluster.enabled) -}}
{{- fail (printf "replicaCount: expected 1 at most without cluster.enabled, got %v. Servers with embedded stores would each count only the records they got themselves." .Values.replicaCount) -}}
{{- end -}}
{{- if .Values.cluster.enabled -}}
{{- range $key := list "database-url" "secret-key" "clickhouse-url" -}}
{{- if not (has $key $.Values.secretKeys) -}}
{{- fail (printf "secretKeys: expected %s with cluster.enabled, because all servers share it." $key) -}}
{{- end -}}
{{- end -}}
{{- if .Values.persistence.existingClaim -}}
{{- fail "persistence.existingClaim: expected none with cluster.enabled, because each server has a volume of its own." -}}
{{- end -}}
{{- end -}}
{{- if not .Values.image.repository -}}
{{- fail "image.repository: expected the name of your image. Build it with `docker build -t registry.example.com/trackside .`, push it, and set that name." -}}
{{- end -}}
{{- range $name := list "TRACKSIDE_HOST" "TRACKSIDE_PORT" "TRACKSIDE_DATA_DIR" "TRACKSIDE_TRUSTED_PROXIES" -}}
{{- if hasKey $.Values.settings $name -}}
{{- fail (printf "settings: expected no %s, because the chart sets it (trustedProxies is a value of its own)." $name) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.secretKeys (not .Values.existingSecret) -}}
{{- fail "existingSecret: expected the name of a secret, because secretKeys is set." -}}
{{- end -}}
{{- end -}}
