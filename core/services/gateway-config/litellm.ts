import { isJsonObject, type JsonObject, recordOf, textOf } from '../../lib/json-value.ts';
import {
  type Account,
  type AccountModel,
  type ConfigPlan,
  channelsOf,
  type LeftOut,
  leftOut,
  noPlace,
  plainAccount,
  type Variables,
} from './plan.ts';
import { noKey, type Vendor, vendorOf } from './vendor.ts';

/** `os.environ/NAME` stands for what the environment says. */
const fromEnvironment = /^os\.environ\/(.+)$/;

const read = [
  ...(['model', 'custom_llm_provider', 'api_base', 'base_url', 'api_key', 'api_version', 'organization'] as const),
  ...(['aws_access_key_id', 'aws_secret_access_key', 'aws_session_token', 'aws_region_name'] as const),
  ...([
    'vertex_credentials',
    'vertex_location',
    'vertex_project',
    'litellm_credential_name',
    'weight',
    'order',
  ] as const),
] as readonly string[];

/** The upstreams of a LiteLLM proxy, and line by line what is not a matter of channels. */
export function readLiteLlm(file: JsonObject, environment: Variables): ConfigPlan {
  const own = recordOf(file.environment_variables);
  const known: Variables = (name) => environment(name) ?? (typeof own[name] === 'string' ? own[name] : undefined);
  const models: AccountModel[] = [];
  const left: LeftOut[] = [];
  const list = Array.isArray(file.model_list) ? file.model_list : [];
  for (const [index, item] of list.entries()) {
    const place = `model_list[${index}]`;
    const read = readModel(withCredential(recordOf(item), file), place, known, left);
    if (read) models.push(read);
  }
  return { kind: 'LiteLLM', channels: channelsOf('litellm', models), left: [...left, ...otherSections(file)] };
}

/** A credential of the file by its name gives what the model itself does not say. */
function withCredential(item: JsonObject, { credential_list: list }: JsonObject): JsonObject {
  const parameters = recordOf(item.litellm_params);
  const name = textOf(parameters.litellm_credential_name);
  if (name === '' || !Array.isArray(list)) return item;
  const found = list.map(recordOf).find((one) => one.credential_name === name);
  return { ...item, litellm_params: { ...recordOf(found?.credential_values), ...parameters } };
}

function readModel(item: JsonObject, place: string, environment: Variables, left: LeftOut[]): AccountModel | undefined {
  const parameters = recordOf(item.litellm_params);
  const name = textOf(item.model_name);
  const { provider, model } = modelOf(parameters);
  const refuse = (one: LeftOut) => void left.push(one);
  if (name === '' || model === '') return refuse(leftOut(place, 'gateway.noModel'));
  if (name.includes('*') || model.includes('*')) return refuse(leftOut(place, 'gateway.wildcard', { name }));
  const vendor = vendorOf(provider);
  if (!vendor) return refuse(leftOut(place, 'gateway.vendor', { name, vendor: provider || model }));
  const value = valuesIn(parameters, environment);
  const account = accountOf(vendor, value, parameters);
  const missing = value.missing();
  if (missing !== undefined) return refuse(leftOut(place, 'gateway.variable', { name, variable: missing }));
  if (account.key === '') return refuse(leftOut(place, 'gateway.key', { name }));
  if (vendor.needsBase && account.base_url === '') return refuse(leftOut(place, 'gateway.base', { name }));
  for (const field of Object.keys(parameters)) {
    if (!read.includes(field)) left.push(noPlace(`${place}.litellm_params.${field}`));
  }
  for (const field of Object.keys(item)) {
    if (field !== 'model_name' && field !== 'litellm_params') left.push(noPlace(`${place}.${field}`));
  }
  return { place, account, name, model };
}

/** Names without a vendor in front are known by how they begin. */
const beginnings: [RegExp, string][] = [
  [/^(gpt-|o\d|chatgpt|text-embedding-|dall-e|whisper-|tts-|omni-moderation)/, 'openai'],
  [/^claude-/, 'anthropic'],
];

function modelOf({ model, custom_llm_provider: given }: JsonObject): { provider: string; model: string } {
  const text = textOf(model);
  const provider = textOf(given);
  const slash = text.indexOf('/');
  const first = slash < 0 ? '' : text.slice(0, slash);
  if (provider !== '') return { provider, model: first === provider ? text.slice(slash + 1) : text };
  if (vendorOf(first)) return { provider: first, model: text.slice(slash + 1).replace(/^(converse|invoke)\//, '') };
  const known = beginnings.find(([begin]) => begin.test(text));
  return { provider: known?.[1] ?? first, model: text };
}

interface Values {
  (name: string): string;
  /** The first variable that is not set. */
  missing(): string | undefined;
  /** The variable that gave a value. */
  from(name: string): string;
}

function valuesIn(parameters: JsonObject, environment: Variables): Values {
  let missing: string | undefined;
  const variable = (name: string) => fromEnvironment.exec(textOf(parameters[name]))?.[1];
  const value = (name: string) => {
    const source = variable(name);
    if (source === undefined) return textOf(parameters[name]).trim();
    const found = environment(source);
    if (found === undefined || found === '') missing ??= source;
    return found ?? '';
  };
  return Object.assign(value, { missing: () => missing, from: (name: string) => variable(name) ?? '' });
}

function accountOf(vendor: Vendor, value: Values, { weight, order }: JsonObject): Account {
  const base_url = (value('api_base') || value('base_url') || (vendor.base_url ?? '')).replace(/\/+$/, '');
  const account = {
    ...plainAccount,
    type: vendor.type,
    base_url,
    openai_organization: vendor.type === 'openai' ? value('organization') : '',
    weight: typeof weight === 'number' && weight > 0 ? Math.round(weight) : 0,
    // Its first order is 1, and a channel of the highest priority is asked first.
    priority: typeof order === 'number' ? -Math.round(order) : 0,
  };
  if (vendor.type === 'aws') return { ...account, key: awsKey(value), keyFrom: value.from('aws_secret_access_key') };
  if (vendor.type === 'vertex') {
    const key = value('vertex_credentials');
    const other = value('vertex_location') || 'global';
    // A path says nothing on this machine.
    return { ...account, other, key: key.startsWith('{') ? key : '', keyFrom: value.from('vertex_credentials') };
  }
  const key = value('api_key') || (vendor.isKeyless ? noKey : '');
  const other = vendor.type === 'azure' ? value('api_version') : '';
  return { ...account, other, key, keyFrom: value.from('api_key') };
}

function awsKey(value: Values): string {
  const parts = ['aws_access_key_id', 'aws_secret_access_key', 'aws_region_name'].map(value);
  if (parts.includes('')) return '';
  const session = value('aws_session_token');
  return [...parts, ...(session === '' ? [] : [session])].join('|');
}

function otherSections(file: JsonObject): LeftOut[] {
  const taken = ['model_list', 'environment_variables', 'credential_list'];
  return Object.entries(file).flatMap(([section, content]) => {
    if (taken.includes(section)) return [];
    if (!isJsonObject(content)) return [noPlace(section)];
    return Object.keys(content).map((name) => {
      const place = `${section}.${name}`;
      return /fallbacks$/.test(name) ? leftOut(place, 'gateway.fallbacks') : noPlace(place);
    });
  });
}
