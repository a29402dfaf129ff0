{{- define "mxproof.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "mxproof.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "mxproof.labels" -}}
{{ include "mxproof.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "mxproof.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{- define "mxproof.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "mxproof.fullname" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "mxproof.publicUrl" -}}
{{- if .Values.publicUrl }}{{ .Values.publicUrl }}{{ else if .Values.ingress.enabled }}{{ if .Values.ingress.tlsSecret }}https{{ else }}http{{ end }}://{{ .Values.ingress.host }}{{ end }}
{{- end }}

{{- define "mxproof.hasFiles" -}}
{{- if or .Values.policy .Values.disposable }}true{{ end }}
{{- end }}

{{/* What would start and do harm, or not start, is refused before it is installed. */}}
{{- define "mxproof.check" -}}
{{- $asksFromNode := and (eq .Values.work.kind "DaemonSet") .Values.work.hostNetwork }}
{{- if and .Values.work.hostNetwork (ne .Values.work.kind "DaemonSet") }}
{{- fail "work.hostNetwork needs work.kind DaemonSet: two pods on one node would want the same port." }}
{{- end }}
{{- if and $asksFromNode (not (hasKey .Values.secrets "MXPROOF_METRICS_TOKEN")) }}
{{- fail "work.hostNetwork opens the metrics port on every node: set secrets.MXPROOF_METRICS_TOKEN." }}
{{- end }}
{{- if not (or $asksFromNode (hasKey .Values.config "MXPROOF_HELO_NAME") (hasKey .Values.secrets "MXPROOF_SOURCE_ADDRESSES")) }}
{{- fail "Set config.MXPROOF_HELO_NAME to the PTR name of the address that mail servers see: the name of a pod means nothing to them." }}
{{- end }}
{{- end }}

{{/* A dict of root, role (serve or work), values (those of the role), args. */}}
{{- define "mxproof.podTemplate" -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "mxproof.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
  annotations:
    kubectl.kubernetes.io/default-container: mxproof
    {{- if include "mxproof.hasFiles" .root }}
    checksum/policy: {{ $values.policy | toJson | sha256sum }}
    {{- end }}
    {{- with .values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "mxproof.serviceAccountName" .root }}
  automountServiceAccountToken: false
  # Their names would begin with MXPROOF_, as those of settings do.
  enableServiceLinks: false
  # Draining, then the service's own limit of 13 seconds.
  terminationGracePeriodSeconds: {{ add $values.drainSeconds 20 }}
  {{- if .hostNetwork }}
  hostNetwork: true
  dnsPolicy: ClusterFirstWithHostNet
  {{- end }}
  {{- with .values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with $values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  containers:
    - name: mxproof
      image: {{ include "mxproof.image" .root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: {{ toJson .args }}
      env:
        {{- with include "mxproof.publicUrl" .root }}
        - name: MXPROOF_PUBLIC_URL
          value: {{ . | quote }}
        {{- end }}
        - name: MXPROOF_DRAIN_SECONDS
          value: {{ $values.drainSeconds | quote }}
        - name: MXPROOF_CALLBACK_PORTS
          value: {{ join "," $values.networkPolicy.callbackPorts | quote }}
        - name: MXPROOF_METRICS_PORT
          value: "9464"
        {{- if not (hasKey $values.config "MXPROOF_METRICS_HOST") }}
        - name: MXPROOF_METRICS_HOST
          value: 0.0.0.0
        {{- end }}
        {{- if and $values.ingress.enabled (not (hasKey $values.config "MXPROOF_TRUST_PROXY")) }}
        - name: MXPROOF_TRUST_PROXY
          value: "1"
        {{- end }}
        {{- if $values.policy }}
        - name: MXPROOF_POLICY_FILE
          value: /etc/mxproof/policy.json
        {{- end }}
        {{- if $values.disposable }}
        - name: MXPROOF_DISPOSABLE_FILE
          value: /etc/mxproof/disposable.txt
        {{- end }}
        {{- range $name, $value := $values.config }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
        {{- range $name, $secret := $values.secrets }}
        - name: {{ $name }}_FILE
          value: /run/mxproof/{{ $name }}
        {{- end }}
      ports:
        {{- if eq .role "serve" }}
        - name: http
          containerPort: 8080
        {{- end }}
        - name: metrics
          containerPort: 9464
      {{- $port := ternary "http" "metrics" (eq .role "serve") }}
      # From the first second, whatever the database does: a pod that waits for it is not killed.
      livenessProbe:
        httpGet: { path: /healthz, port: {{ $port }} }
        initialDelaySeconds: 10
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: {{ $port }} }
        periodSeconds: 2
        # It answers within five seconds, however long the database takes.
        timeoutSeconds: 6
        failureThreshold: 1
      resources:
        {{- toYaml .values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      volumeMounts:
        - name: data
          mountPath: /data
        - name: secrets
          mountPath: /run/mxproof
          readOnly: true
        {{- if include "mxproof.hasFiles" .root }}
        - name: files
          mountPath: /etc/mxproof
          readOnly: true
        {{- end }}
        {{- with $values.volumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    # Everything that is kept is in PostgreSQL.
    - name: data
      emptyDir:
        sizeLimit: 256Mi
    - name: secrets
      projected:
        defaultMode: 0440
        sources:
          {{- range $name, $secret := $values.secrets }}
          - secret:
              name: {{ $secret.name }}
              items:
                - key: {{ $secret.key }}
                  path: {{ $name }}
          {{- end }}
    {{- if include "mxproof.hasFiles" .root }}
    - name: files
      configMap:
        name: {{ include "mxproof.fullname" .root }}
    {{- end }}
    {{- with $values.volumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .spreads }}
  topologySpreadConstraints:
    - topologyKey: kubernetes.io/hostname
      maxSkew: 1
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "mxproof.selector" .root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  {{- end }}
{{- end }}
