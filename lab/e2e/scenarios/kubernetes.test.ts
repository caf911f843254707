import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { apiProcessSettings } from '@lending/api';
import { TOPICS } from '@lending/events';
import { ROOT } from '@lending/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHECKS_NEED, HAS_CHECKS } from '../src/infra/compose-project.ts';
import { buildManifests, createValidator, type Manifest } from '../src/infra/manifests.ts';
import { findWrongSettings, readStopMs } from '../src/infra/service-settings.ts';

const KUBERNETES = join(ROOT, 'infra/kubernetes');
/** The oldest and the newest that the manifests are for. */
const VERSIONS = ['1.33.0', '1.37.0'];
const SERVICES = ['api', 'indexer', 'rate-poller'];
const JOBS = ['migrate', 'create-topics'];

/** The overlays, and production with TLS up to the pods. A folder of kustomize lies within what it takes from. */
const folders = { production: 'overlays/production', 'single-node': 'overlays/single-node', 'pod-tls': layTls() };
afterAll(() => rmSync(join(KUBERNETES, folders['pod-tls']), { recursive: true }));

function layTls(): string {
  const folder = mkdtempSync(join(KUBERNETES, '.pod-tls-'));
  const kustomization = { resources: ['../overlays/production'], components: ['../components/pod-tls'] };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  return relative(KUBERNETES, folder);
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function buildOverlay(name: keyof typeof folders): readonly Manifest[] {
  return HAS_CHECKS ? buildManifests(join(KUBERNETES, folders[name])) : [];
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: object;
  readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly [probe: `${string}Probe`]: {
    readonly httpGet?: { readonly path: string; readonly port: string; readonly scheme?: string };
  };
}

const WITH_PODS = ['Deployment', 'StatefulSet', 'Job'];

function withPods(manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.filter(({ kind }) => WITH_PODS.includes(kind));
}

function containerOf(manifest: Manifest): Container {
  return manifest.spec.template.spec.containers[0];
}

function findOne(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.filter((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  expect(found.length, `${kind} ${name}`).toBe(1);
  return found[0] as Manifest;
}

/** What a container is told, its own variables and those of its ConfigMap. */
function variablesOf(container: Container, manifests: readonly Manifest[]): Readonly<Record<string, string>> {
  const shared = (container.envFrom ?? []).map(
    ({ configMapRef }) => findOne(manifests, 'ConfigMap', configMapRef.name).data,
  );
  const own = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]));
  return Object.assign({}, ...shared, own);
}

describe.skipIf(!HAS_CHECKS)(HAS_CHECKS ? 'infra/kubernetes' : `infra/kubernetes (${CHECKS_NEED})`, () => {
  describe.each(Object.keys(folders) as (keyof typeof folders)[])('%s', (overlay) => {
    const manifests = buildOverlay(overlay);
    const pods = withPods(manifests);

    it.each(VERSIONS)('[manifests-valid] has every object as Kubernetes %s takes it', (version) => {
      const validate = createValidator(version);
      expect(manifests.length).toBeGreaterThan(20);
      expect(manifests.flatMap((manifest) => validate(manifest))).toEqual([]);
    });

    it('[manifests-valid] names every object once, in one namespace', () => {
      const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(names.length).toBe(new Set(names).size);
      const elsewhere = manifests.filter(
        ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'lending',
      );
      expect(elsewhere).toEqual([]);
    });

    it('[manifests-confined] keeps every pod within what the namespace enforces, and more', () => {
      expect(findOne(manifests, 'Namespace', 'lending').metadata.labels).toMatchObject({
        'pod-security.kubernetes.io/enforce': 'restricted',
      });
      for (const manifest of pods) {
        const { spec } = manifest.spec.template;
        const { name } = manifest.metadata;
        expect(spec.containers.length, name).toBe(1);
        expect(spec.initContainers ?? [], name).toEqual([]);
        expect([spec.hostNetwork, spec.hostPID, spec.hostIPC], name).toEqual([undefined, undefined, undefined]);
        expect(spec.automountServiceAccountToken, name).toBe(false);
        expect(spec.securityContext, name).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(spec.securityContext.runAsUser, name).toBeGreaterThan(0);
        const container = containerOf(manifest);
        expect(container.securityContext, name).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: name !== 'kafka',
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources, name).toMatchObject({
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
        const kinds = (spec.volumes ?? [])
          .flatMap((volume: object) => Object.keys(volume))
          .filter((key: string) => key !== 'name');
        expect(new Set(['emptyDir', 'secret', 'projected', ...kinds]).size, name).toBe(3);
      }
      const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount');
      expect(accounts.map(({ automountServiceAccountToken }) => automountServiceAccountToken)).toEqual(
        accounts.map(() => false),
      );
      expect(manifests.filter(({ kind }) => /Role/.test(kind))).toEqual([]);
    });

    it('[manifests-confined] lets nobody talk to a pod, or a pod to anybody, who is not named', () => {
      const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
      const everybody = policies.find(({ spec }) => Object.keys(spec.podSelector).length === 0);
      expect(everybody?.spec.policyTypes).toEqual(['Ingress', 'Egress']);
      expect(everybody?.spec.ingress ?? []).toEqual([]);
      const toKafka = policies.filter(({ spec }) => JSON.stringify(spec.egress ?? []).includes('"port":9092'));
      const named = toKafka.flatMap(({ spec }) => spec.podSelector.matchExpressions?.[0]?.values ?? []);
      expect(named).not.toContain('api');
    });

    it('[manifests-settings] gives each program what it needs, and nothing that it does not read', () => {
      const programs = pods.filter((manifest) => /lending/.test(containerOf(manifest).image));
      expect(programs.map(({ metadata }) => metadata.name).sort()).toEqual([...SERVICES, ...JOBS].sort());
      for (const manifest of programs) {
        const container = containerOf(manifest);
        const variables = variablesOf(container, manifests);
        expect(findWrongSettings(container.args?.[0] ?? '', Object.keys(variables)), manifest.metadata.name).toEqual({
          unknown: [],
          missing: [],
        });
      }
    });

    it('[manifests-settings] mounts the file of every setting that has one, out of the one Secret that the page names', () => {
      const keys = new Set<string>();
      for (const manifest of pods) {
        const container = containerOf(manifest);
        const { volumes = [] } = manifest.spec.template.spec;
        const mounted = volumes.flatMap(
          ({
            name,
            projected,
            secret,
          }: {
            name: string;
            projected?: { sources: { secret: object }[] };
            secret?: object;
          }) => {
            const { mountPath = '' } = container.volumeMounts?.find((mount) => mount.name === name) ?? {};
            const sources = (projected?.sources.map((source) => source.secret) ?? [secret]) as {
              items?: { key: string; path: string }[];
            }[];
            return sources
              .flatMap((source) => source?.items ?? [])
              .map(({ key, path }) => {
                keys.add(key);
                return `${mountPath}/${path}`;
              });
          },
        );
        const named = Object.entries(variablesOf(container, manifests)).filter(([name]) => name.endsWith('_FILE'));
        expect(mounted.sort(), manifest.metadata.name).toEqual(named.map(([, path]) => path).sort());
      }
      const page = read('infra/kubernetes/README.md');
      expect([...keys].filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
      expect(JSON.stringify(manifests)).not.toMatch(/"kind":"Secret"/);
    });

    it('[manifests-rollout] asks pods how they are at ports and paths that there are', () => {
      const isTls = overlay === 'pod-tls';
      for (const name of SERVICES) {
        const container = containerOf(findOne(manifests, 'Deployment', name));
        const ports = (container.ports ?? []).map((port) => port.name);
        const paths = ['startup', 'readiness', 'liveness'].map((kind) => {
          const { httpGet } = container[`${kind}Probe`] ?? {};
          expect(ports, name).toContain(httpGet?.port);
          expect(httpGet?.scheme ?? 'HTTP', name).toBe(isTls && name === 'api' ? 'HTTPS' : 'HTTP');
          return httpGet?.path;
        });
        expect(paths, name).toEqual(
          name === 'api' ? ['/readyz', '/healthz', '/healthz'] : ['/healthz', '/readyz', '/healthz'],
        );
        const variables = variablesOf(container, manifests);
        expect(
          container.ports?.map((port) => String(port.containerPort)),
          name,
        ).toEqual([variables.API_PORT ?? variables.PROBE_PORT]);
        expect(variables.API_HOST ?? variables.PROBE_HOST, name).toBe('0.0.0.0');
      }
    });

    it('[manifests-rollout] replaces pods one by one, never below their number', () => {
      for (const name of SERVICES) {
        const { spec } = findOne(manifests, 'Deployment', name);
        expect(spec.strategy, name).toEqual({
          type: 'RollingUpdate',
          rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
        });
        expect(findOne(manifests, 'PodDisruptionBudget', name).spec, name).toMatchObject({
          maxUnavailable: 1,
          selector: { matchLabels: { 'app.kubernetes.io/component': name } },
        });
        expect(spec.selector.matchLabels, name).toMatchObject({ 'app.kubernetes.io/component': name });
      }
    });

    it('[manifests-rollout] gives the api the time to serve on and to finish before it is killed', () => {
      const api = findOne(manifests, 'Deployment', 'api');
      const drain = apiProcessSettings.API_DRAIN_MS.parse(variablesOf(containerOf(api), manifests).API_DRAIN_MS);
      expect(drain).toBeGreaterThan(0);
      const grace = api.spec.template.spec.terminationGracePeriodSeconds * 1_000;
      expect(grace).toBeGreaterThanOrEqual(drain + readStopMs());
    });
  });

  describe('production', () => {
    const manifests = buildOverlay('production');

    it('[manifests-rollout] runs two of each at least, and says their number once', () => {
      const scaled = manifests.filter(({ kind }) => ['HorizontalPodAutoscaler', 'ScaledObject'].includes(kind));
      expect(scaled.map(({ spec }) => [spec.scaleTargetRef.name, spec.minReplicas ?? spec.minReplicaCount])).toEqual([
        ['api', 2],
        ['indexer', 2],
      ]);
      expect(findOne(manifests, 'Deployment', 'api').spec.replicas).toBeUndefined();
      expect(findOne(manifests, 'Deployment', 'indexer').spec.replicas).toBeUndefined();
      expect(findOne(manifests, 'Deployment', 'rate-poller').spec.replicas).toBe(2);
    });

    it('[manifests-rollout] never runs more indexers than a topic has partitions', () => {
      const most = Math.max(...Object.values(TOPICS).map(({ partitions }) => partitions));
      expect(findOne(manifests, 'ScaledObject', 'indexer').spec.maxReplicaCount).toBe(most);
    });

    it('[manifests-watched] scales indexers by a metric that they tell', () => {
      const [trigger] = findOne(manifests, 'ScaledObject', 'indexer').spec.triggers;
      const [, metric = '', job] = /(\w+)\{job="(.+?)"\}/.exec(trigger.metadata.query) ?? [];
      expect(job).toBe('indexer');
      expect(read('services/indexer/src/project/measure-lag.ts')).toContain(`name: '${metric.replaceAll('_', '.')}'`);
    });

    it('[manifests-watched] has the alarms of infra/prometheus, about jobs that are called so here', () => {
      const rules = parse(read('infra/prometheus/rules.yml'));
      expect(findOne(manifests, 'PrometheusRule', 'lending').spec).toEqual(rules);
      const monitor = findOne(manifests, 'PodMonitor', 'lending').spec;
      const jobs = SERVICES.map(
        (name) => findOne(manifests, 'Deployment', name).spec.template.metadata.labels[monitor.jobLabel],
      );
      const named = new Set(
        [...JSON.stringify(rules).matchAll(/job=~?\\"([^"\\]+)\\"/g)].flatMap(([, names = '']) => names.split('|')),
      );
      expect([...named].sort()).toEqual([...jobs].sort());
      const scraped = parse(read('infra/prometheus/prometheus.yml')).scrape_configs;
      expect(scraped.map(({ job_name }: { job_name: string }) => job_name).sort()).toEqual([...jobs].sort());
    });

    it('[manifests-watched] has the dashboards of infra/grafana, as they are', () => {
      const dashboards = manifests.filter(({ metadata }) => metadata.labels?.grafana_dashboard === '1');
      const files = dashboards.flatMap(({ data = {} }) => Object.entries(data));
      const shown = readdirSync(join(ROOT, 'infra/grafana/dashboards')).filter((name) => name.endsWith('.json'));
      expect(files.map(([file]) => file).sort()).toEqual(shown.sort());
      for (const [file, text] of files) expect(text).toBe(read(`infra/grafana/dashboards/${file}`));
    });

    it('[manifests-watched] shows metrics to nobody outside', () => {
      const [rule] = findOne(manifests, 'Ingress', 'api').spec.rules;
      const metrics = rule.http.paths.find(({ path }: { path: string }) => path === '/metrics');
      expect(metrics.pathType).toBe('Prefix');
      const { selector } = findOne(manifests, 'Service', metrics.backend.service.name).spec;
      const labels = withPods(manifests).map(
        ({ spec }) => spec.template.metadata.labels['app.kubernetes.io/component'],
      );
      expect(labels).not.toContain(selector['app.kubernetes.io/component']);
    });
  });

  it('[manifests-watched] has alarms that were made of the rules as they are', () => {
    const folder = join(KUBERNETES, 'components/monitoring');
    const made = execFileSync(process.execPath, [join(folder, 'render-rules.mjs')], { encoding: 'utf8' });
    expect(readFileSync(join(folder, 'prometheus-rule.yaml'), 'utf8'), 'run render-rules.mjs again').toBe(made);
  });

  it('[manifests-valid] finds what is not so', () => {
    const validate = createValidator(VERSIONS[0] as string);
    const api = findOne(buildOverlay('production'), 'Deployment', 'api');
    expect(validate({ ...api, spec: { ...api.spec, replica: 2 } })[0]).toMatch(/replica/);
    const scaled = findOne(buildOverlay('production'), 'ScaledObject', 'indexer');
    expect(validate({ ...scaled, spec: { ...scaled.spec, maxReplicas: 2 } })[0]).toMatch(/maxReplicas/);
  });
});
