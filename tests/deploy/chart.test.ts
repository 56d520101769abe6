import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Manifest, merge, renderChart } from '../support/helm-chart.ts';
import { knownVariables, readRoot, readSample, sampleFolder } from './sample.ts';

const folder = join(sampleFolder, 'helm/tollgate');
const defaults = parse(readSample('helm/tollgate/values.yaml')) as Record<string, unknown>;
const secret = {
  SQL_DSN: 'postgres://u:p@db/t',
  CRYPTO_SECRET: 'c',
  TOLLGATE_ROOT_PASSWORD: 'correct "horse" battery',
};
const full = {
  replicaCount: 2,
  secret: { ...secret, METRICS_TOKEN: 'm', REDIS_CONN_STRING: 'redis://:r@redis:6379/0' },
  env: { RELAY_BODY_LIMIT: '64MiB' },
  trustedProxies: ['10.0.0.0/8', '192.168.0.1'],
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls' },
  serviceMonitor: { enabled: true },
  podLabels: { team: 'ai' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'ai', operator: 'Exists' }],
};

const one = (manifests: Manifest[], kind: string): Manifest => {
  const found = manifests.filter((manifest) => manifest.kind === kind);
  expect(found.length, kind).toBeGreaterThan(0);
  return found[0] as Manifest;
};
const podOf = (manifests: Manifest[]): Manifest => one(manifests, 'StatefulSet').spec.template.spec;

describe('the Helm chart', () => {
  it.each([
    ['as it is', {}],
    ['with everything', full],
  ])('%s makes Kubernetes objects whose selectors and names fit together', (_title, values) => {
    const { manifests } = renderChart(folder, values);
    const { spec, metadata } = one(manifests, 'StatefulSet');
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const services = manifests.filter(({ kind }) => kind === 'Service');
    for (const service of services) expect(spec.template.metadata.labels).toMatchObject(service.spec.selector);
    expect(services.map((service) => service.metadata.name)).toContain(spec.serviceName);
    const [container] = spec.template.spec.containers;
    expect(container.envFrom[0].secretRef.name).toBe(one(manifests, 'Secret').metadata.name);
    const mounted = container.volumeMounts.map(({ name }: Manifest) => name);
    const volumes = [
      ...spec.template.spec.volumes,
      ...spec.volumeClaimTemplates.map(({ metadata: { name } }: Manifest) => ({ name })),
    ];
    expect(volumes.map(({ name }: Manifest) => name).sort()).toEqual(mounted.sort());
    expect(metadata.labels['helm.sh/chart']).toBe('tollgate-0.1.0');
  });

  it('probes paths that the server has, and gives a pod time to end its calls', () => {
    const pod = podOf(renderChart(folder).manifests);
    const [container] = pod.containers;
    expect(container.startupProbe.httpGet.path).toBe('/healthz');
    expect(container.livenessProbe.httpGet.path).toBe('/healthz');
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
    const drain = Number(container.env.find(({ name }: Manifest) => name === 'DRAIN_TIMEOUT').value);
    const preStop = Number(container.lifecycle.preStop.exec.command[1]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + preStop + 10);
    const port = container.env.find(({ name }: Manifest) => name === 'PORT').value;
    expect(container.ports[0].containerPort).toBe(Number(port));
    expect(readRoot('Dockerfile')).toContain(`EXPOSE ${port}`);
  });

  it('runs without root, with a read-only file system', () => {
    const pod = podOf(renderChart(folder).manifests);
    const user = Number(/^USER (\d+)/m.exec(readRoot('Dockerfile'))?.[1]);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: user, fsGroup: user });
    expect(pod.containers[0].securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  it('hands on secrets and settings, under names that the program knows', async () => {
    const { manifests } = renderChart(folder, full);
    const { stringData } = one(manifests, 'Secret');
    expect(stringData).toEqual({ ...full.secret });
    const environment = podOf(manifests).containers[0].env as { name: string; value: string }[];
    expect(environment).toContainEqual({ name: 'TRUSTED_PROXIES', value: '10.0.0.0/8,192.168.0.1' });
    expect(environment).toContainEqual({ name: 'RELAY_BODY_LIMIT', value: '64MiB' });
    const known = await knownVariables();
    const { existingSecret, ...keys } = defaults.secret as Record<string, string>;
    const names = [...environment.map(({ name }) => name), ...Object.keys(keys)];
    expect(existingSecret).toBe('');
    for (const name of names) expect(known).toContain(name);
  });

  it('has ingress, disruption budget and monitor only when they are wanted', () => {
    const kinds = (values: object) => renderChart(folder, { ...values }).manifests.map(({ kind }) => kind as string);
    expect(kinds({}).sort()).toEqual(['Secret', 'Service', 'Service', 'StatefulSet']);
    expect(kinds(full)).toEqual(expect.arrayContaining(['Ingress', 'PodDisruptionBudget', 'ServiceMonitor']));
    expect(kinds({ secret: { existingSecret: 'mine' } })).not.toContain('Secret');
    expect(podOf(renderChart(folder, { secret: { existingSecret: 'mine' } }).manifests).containers[0].envFrom).toEqual([
      { secretRef: { name: 'mine' } },
    ]);
  });

  it.each([
    ['replicas on SQLite', { replicaCount: 2 }, 'needs PostgreSQL'],
    ['PostgreSQL without the shared key', { secret: { SQL_DSN: secret.SQL_DSN } }, 'CRYPTO_SECRET'],
    [
      'replicas without a root password',
      { replicaCount: 2, secret: { ...secret, TOLLGATE_ROOT_PASSWORD: '' } },
      'ROOT_PASSWORD',
    ],
    ['a monitor without its token', { serviceMonitor: { enabled: true } }, 'METRICS_TOKEN'],
  ])('refuses %s and says what is missing', (_title, values, words) => {
    expect(() => renderChart(folder, values)).toThrow(words);
  });

  it('tells after the installation how to open it and to sign in', () => {
    const { notes } = renderChart(folder);
    expect(notes).toContain('port-forward service/gateway-tollgate 3000:80');
    expect(notes).toContain('logs gateway-tollgate-0');
    expect(renderChart(folder, full).notes).toContain('https://gateway.example.com');
  });
});

describe('values.schema.json', () => {
  const ajv = new Ajv({ strict: false });
  const isValid = ajv.compile(JSON.parse(readSample('helm/tollgate/values.schema.json')) as object);
  const accepts = (values: object) => isValid(merge(defaults, { ...values }));

  it('accepts the values of the chart and describes each', () => {
    expect(accepts({}), JSON.stringify(isValid.errors)).toBe(true);
    expect(accepts(full), JSON.stringify(isValid.errors)).toBe(true);
    const { properties } = JSON.parse(readSample('helm/tollgate/values.schema.json')) as { properties: object };
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(defaults)));
  });

  it.each([
    ['a misspelled value', { replicas: 2 }],
    ['a number where Kubernetes wants text', { env: { RELAY_CALL_LIMIT: 5000 } }],
    ['a setting that the chart makes itself', { env: { PORT: '80' } }],
    ['a short password', { secret: { TOLLGATE_ROOT_PASSWORD: 'short' } }],
    ['MySQL', { secret: { SQL_DSN: 'mysql://u:p@db/t' } }],
    ['a size without a unit that Kubernetes knows', { persistence: { size: '10GB' } }],
  ])('refuses %s', (_title, values) => {
    expect(accepts(values)).toBe(false);
  });
});

it('the chart carries the version of the program', () => {
  const { version } = JSON.parse(readRoot('package.json')) as { version: string };
  const chart = parse(readSample('helm/tollgate/Chart.yaml')) as { version: string; appVersion: string };
  expect(chart).toMatchObject({ version, appVersion: version });
});
