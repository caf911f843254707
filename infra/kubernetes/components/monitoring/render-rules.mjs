// Prints the PrometheusRule of infra/prometheus/rules.yml:
//   node infra/kubernetes/components/monitoring/render-rules.mjs > infra/kubernetes/components/monitoring/prometheus-rule.yaml
import { readFileSync } from 'node:fs';

const rules = readFileSync(new URL('../../../prometheus/rules.yml', import.meta.url), 'utf8');
const body = rules.trimEnd().replaceAll(/^(?=.)/gm, '  ');
process.stdout.write(`# Not edited by hand: made of infra/prometheus/rules.yml by render-rules.mjs beside this.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: { name: lending }
spec:
${body}
`);
