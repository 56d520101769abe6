import { urlSegment } from '../base-url.ts';

/** Where one version of Spark is, what it calls itself there, and what it can do. */
export interface SparkVersion {
  path: string;
  domain: string;
  outputLimit: number;
  knowsSystem: boolean;
  callsFunctions: boolean;
}

/** Path and domain by version (Spark sheet). */
const versions: Record<string, [path: string, domain: string]> = {
  'v1.1': ['/v1.1/chat', 'lite'],
  'v2.1': ['/v2.1/chat', 'generalv2'],
  'v3.1': ['/v3.1/chat', 'generalv3'],
  'v3.1-128K': ['/chat/pro-128k', 'pro-128k'],
  'v3.5': ['/v3.5/chat', 'generalv3.5'],
  'v3.5-32K': ['/chat/max-32k', 'max-32k'],
  'v4.0': ['/v4.0/chat', '4.0Ultra'],
};

const versionsByModel: Record<string, string> = {
  'spark-lite': 'v1.1',
  'spark-pro': 'v3.1',
  'spark-pro-128k': 'v3.1-128K',
  'spark-max': 'v3.5',
  'spark-max-32k': 'v3.5-32K',
  'spark-4.0-ultra': 'v4.0',
};

const oldestVersion = 'v1.1';
const withSystem: ReadonlySet<string> = new Set(['generalv3.5', 'max-32k', '4.0Ultra']);

/** Clients made for Azure name a day in the same place. */
const azureVersion = /^\d{4}-|^preview$/;

/** What a call says itself goes first, then its model's name, then the channel's `other` field. */
export function sparkVersion(model: string, other: string, asked: string | null = null): SparkVersion {
  const own = asked !== null && azureVersion.test(asked) ? '' : asked;
  const name = own || versionOfModel(model) || other.trim() || oldestVersion;
  const known = Object.hasOwn(versions, name) ? versions[name] : undefined;
  const [path, domain] = known ?? [`/${urlSegment(name)}/chat`, `general${name}`];
  return {
    path,
    domain,
    outputLimit: withSystem.has(domain) ? 8192 : 4096,
    knowsSystem: withSystem.has(domain),
    callsFunctions: domain.startsWith('generalv3') || domain === '4.0Ultra',
  };
}

/** `SparkDesk-v3.5` names its version. */
function versionOfModel(model: string): string | undefined {
  const name = model.toLowerCase();
  if (Object.hasOwn(versionsByModel, name)) return versionsByModel[name];
  return /^[^-]+-(v\d[\w.]*)$/.exec(model)?.[1];
}

/** The model's name in the HTTP interface, which takes domains. */
export function sparkModel(model: string): string {
  const version = versionOfModel(model);
  const known = version !== undefined && Object.hasOwn(versions, version) ? versions[version] : undefined;
  return known?.[1] ?? model.replace(/^spark-x/i, 'x');
}
