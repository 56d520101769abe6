import { isJsonObject, type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import { presetModels } from '../../providers/preset-models.ts';
import { findChannelType } from '../../schemas/channel-type.ts';
import {
  type Account,
  type AccountModel,
  type ConfigPlan,
  channelsOf,
  type LeftOut,
  leftOut,
  noPlace,
  plainAccount,
} from './plan.ts';
import { noKey, type Vendor, vendorOf } from './vendor.ts';

const read = [
  ...(['name', 'provider', 'api_key', 'weight', 'override_params', 'custom_host', 'openai_organization'] as const),
  ...(['azure_resource_name', 'azure_deployment_id', 'azure_api_version', 'strategy', 'targets', 'index'] as const),
  ...(['aws_access_key_id', 'aws_secret_access_key', 'aws_session_token', 'aws_region'] as const),
] as readonly string[];

/** How the targets around one are chosen. */
interface Place {
  path: string;
  priority: number;
  weight: number;
  /** The model that clients ask for: that of the first target. */
  alias: string | undefined;
}

/** The targets of a Portkey config. Both spellings of its fields are read. */
export function readPortkey(file: JsonObject): ConfigPlan {
  const models: AccountModel[] = [];
  const left: LeftOut[] = [];
  readTarget(file, { path: '', priority: 0, weight: 0, alias: undefined }, { models, left });
  return { kind: 'Portkey', channels: channelsOf('portkey', models), left };
}

interface Found {
  models: AccountModel[];
  left: LeftOut[];
}

function readTarget(given: JsonObject, place: Place, found: Found): void {
  const target = snakeCase(given);
  for (const field of Object.keys(target)) {
    if (!read.includes(field) && field !== 'virtual_key') found.left.push(noPlace(at(place.path, field)));
  }
  const { targets } = target;
  if (Array.isArray(targets)) {
    readTargets(targets.map(recordOf), snakeCase(recordOf(target.strategy)), place, found);
    return;
  }
  found.models.push(...modelsOf(target, place, found.left));
}

function readTargets(targets: JsonObject[], strategy: JsonObject, place: Place, found: Found): void {
  const mode = textOf(strategy.mode);
  for (const field of Object.keys(strategy)) {
    if (field !== 'mode') found.left.push(noPlace(at(place.path, `strategy.${field}`)));
  }
  const isKnown = mode === 'loadbalance' || mode === 'fallback' || mode === 'single';
  if (!isKnown) found.left.push(leftOut(at(place.path, 'strategy.mode'), 'gateway.strategy', { mode: mode || '-' }));
  const alias = place.alias ?? firstModel(targets);
  const weights = targets.map(({ weight }) => (typeof weight === 'number' && weight >= 0 ? weight : 1));
  // Weights are whole numbers here.
  const scale = weights.some((weight) => !Number.isInteger(weight)) ? 100 : 1;
  for (const [index, target] of targets.entries()) {
    readTarget(
      target,
      {
        path: at(place.path, `targets[${index}]`),
        alias: isKnown ? alias : undefined,
        // The first target is asked first.
        priority: mode === 'fallback' ? place.priority - index : place.priority,
        weight: mode === 'loadbalance' ? Math.round((weights[index] ?? 1) * scale) : place.weight,
      },
      found,
    );
  }
}

function firstModel(targets: JsonObject[]): string | undefined {
  for (const target of targets.map(snakeCase)) {
    const inner = Array.isArray(target.targets) ? firstModel(target.targets.map(recordOf)) : undefined;
    const model = textOf(recordOf(target.override_params).model) || inner;
    if (model) return model;
  }
  return undefined;
}

function modelsOf(target: JsonObject, place: Place, left: LeftOut[]): AccountModel[] {
  const path = place.path || 'config';
  const provider = textOf(target.provider).replace(/^@/, '');
  const refuse = (one: LeftOut): AccountModel[] => {
    left.push(one);
    return [];
  };
  if (textOf(target.virtual_key) !== '' || textOf(target.provider).startsWith('@')) {
    return refuse(leftOut(path, 'gateway.virtualKey'));
  }
  const vendor = vendorOf(provider);
  if (!vendor) return refuse(leftOut(path, 'gateway.vendor', { name: path, vendor: provider || '-' }));
  const account = accountOf(vendor, target, place);
  if (account.key === '') return refuse(leftOut(path, 'gateway.key', { name: path }));
  if (vendor.needsBase && account.base_url === '') return refuse(leftOut(path, 'gateway.base', { name: path }));
  const overrides = recordOf(target.override_params);
  for (const field of Object.keys(overrides)) {
    if (field !== 'model') left.push(noPlace(at(place.path, `override_params.${field}`)));
  }
  const model = textOf(overrides.model) || textOf(target.azure_deployment_id);
  if (model !== '') {
    const names = [...new Set([place.alias ?? model, model])];
    return names.map((name) => ({ place: path, account, name, model }));
  }
  const preset = presetModels(findChannelType(vendor.type)?.number ?? 0);
  left.push(leftOut(path, preset.length > 0 ? 'gateway.presetModels' : 'gateway.noModel'));
  return preset.map((name) => ({ place: path, account, name, model: name }));
}

function accountOf(vendor: Vendor, target: JsonObject, { priority, weight }: Place): Account {
  const resource = textOf(target.azure_resource_name);
  const azure = vendor.type === 'azure' && resource !== '' ? `https://${resource}.openai.azure.com` : '';
  const base_url = (textOf(target.custom_host) || azure || (vendor.base_url ?? '')).replace(/\/+$/, '');
  const aws = ['aws_access_key_id', 'aws_secret_access_key', 'aws_region'].map((name) => textOf(target[name]));
  const plain = textOf(target.api_key) || (vendor.isKeyless ? noKey : '');
  return {
    ...plainAccount,
    type: vendor.type,
    base_url,
    key: vendor.type === 'aws' ? (aws.includes('') ? '' : aws.join('|')) : plain,
    other: vendor.type === 'azure' ? textOf(target.azure_api_version) : '',
    openai_organization: vendor.type === 'openai' ? textOf(target.openai_organization) : '',
    priority,
    weight,
    // A weight of 0 takes a target out without deleting it.
    status: target.weight === 0 ? 'disabled' : 'enabled',
  };
}

const at = (path: string, field: string) => (path === '' ? field : `${path}.${field}`);

function snakeCase(object: JsonObject): JsonObject {
  const named = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [named(name), value]));
}

/** It has targets, or is one itself. */
export const isPortkey = (file: JsonObject): boolean =>
  Array.isArray(file.targets) || isJsonObject(file.strategy) || typeof file.provider === 'string';
