import type { ChannelRow } from '../../database/models/channel.ts';
import { AppError } from '../../errors/app-error.ts';
import { parseRecord } from '../../lib/json-value.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { adapterFor, isServed } from '../../providers/registry.ts';
import { channelStatus } from '../../schemas/channel-status.ts';
import { channelTypeOf, channelTypeWords } from '../../schemas/channel-type.ts';
import { channelKeyPlace, readObject } from '../routing.ts';
import { listedKey } from '../secret.ts';
import { keysOf } from './key-pool.ts';

/** What decides whether a channel can work at all. */
export type ChannelSetup = Pick<ChannelRow, 'type' | 'base_url' | 'other' | 'openai_organization' | 'setting'> &
  Partial<Pick<ChannelRow, 'status' | 'models' | 'model_mapping'>>;

const setupFields = ['type', 'base_url', 'other'] as const;

/** Whether an edit touches what has to be checked again; a channel that is broken already can be renamed and switched off. */
export function isSetupChanged(before: ChannelRow, after: ChannelRow): boolean {
  const isRetired = channelTypeOf(after.type)?.isRetired === true;
  return isRetired || setupFields.some((name) => before[name] !== after[name]);
}

/** Throws AppError, in words for the operator of the channel, when no call could be made with it. */
export function requireWorking(setup: ChannelSetup, key: string): void {
  const { type, base_url, other } = setup;
  const known = channelTypeOf(type);
  const label = channelTypeWords(type);
  if (known?.isRetired) requireGemini(setup);
  if (!isServed(type)) throw new AppError('channel.typeNotServed', { channelType: label });
  if (base_url === '' && known?.needsBaseUrl) throw new AppError('channel.baseUrlNeeded', { channelType: label });
  if (known?.other?.isRegion) requireRegion(other);
  else if (known?.other?.isNeeded && other === '') throw otherNeeded(type);
  try {
    adapterFor(type)?.check?.({ ...setup, id: 0, key, setting: readObject(setup.setting) });
  } catch (error) {
    throw error instanceof AppError ? ownWords(error, type) : error;
  }
}

/** The adapter speaks of a channel that is in use. */
function ownWords(error: AppError, number: number): AppError {
  const channelType = channelTypeWords(number);
  if (error.code === 'provider.keyForm') return new AppError('channel.keyForm', { ...error.details, channelType });
  if (error.code === 'provider.fieldWrong')
    return new AppError('channel.fieldWrong', { ...error.details, channelType });
  if (error.code !== 'provider.fieldNeeded' || error.details.field !== 'other') return error;
  const other = channelTypeOf(number)?.other;
  return other?.isRegion ? new AppError('channel.regionNeeded') : otherNeeded(number);
}

function otherNeeded(type: number): AppError {
  const what = channelTypeOf(type)?.other?.label ?? 'other';
  return new AppError('channel.otherNeeded', { channelType: channelTypeWords(type), what });
}

/** PaLM is no more; only Gemini models are served under its number. A channel that is off may stay as it is. */
function requireGemini({ status, models = '', model_mapping = '' }: ChannelSetup): void {
  if (status === channelStatus.disabled) return;
  const mapping = parseRecord(model_mapping) ?? {};
  const gone = models
    .split(',')
    .filter(Boolean)
    .find((model) => !/^(models\/)?gemini/.test(String(mapping[model] ?? model)));
  if (gone !== undefined) throw new AppError('channel.palmRetired', { model: gone });
}

function requireRegion(other: string): void {
  const regions = other.startsWith('{') ? parseRecord(other) : other;
  const isFine = typeof regions === 'string' ? regions !== '' : typeof regions?.default === 'string';
  if (!isFine) throw new AppError('channel.regionNeeded');
}

/** Why a stored channel cannot work; undefined when nothing is known against it. */
export function problemOf(row: ChannelRow, secretBox: SecretBox): AppError | undefined {
  try {
    if (row.key_encrypted === '') throw new AppError('channel.keyMissing');
    const { key: secret, key_problem } = listedKey(secretBox, row.key_encrypted, channelKeyPlace(row.id));
    if (key_problem !== undefined) throw new AppError('channel.keyUnreadable');
    for (const { key } of keysOf(row, secret)) requireWorking(row, key);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
