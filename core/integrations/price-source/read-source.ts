import { AppError } from '../../errors/app-error.ts';
import { isJsonObject, recordOf } from '../../lib/json-value.ts';
import type { SourceFormat } from '../../schemas/price-sync.ts';
import { coded } from '../../text/coded.ts';
import { readLitellm } from './litellm.ts';
import { readModelsDev } from './models-dev.ts';
import { readPriceList, readRatioConfig } from './new-api.ts';
import { readOpenrouter } from './openrouter.ts';
import type { SourceModel, SourceModels } from './source-model.ts';

export interface SourceReading extends SourceModels {
  /** What it is called in the history: a name, an address without its query, or the name of a file. */
  source: string;
  format: SourceFormat;
}

const maxModels = 20_000;

/** A list of prices in one of the common formats, which its shape tells. `source` is what errors call it. */
export function readSource(source: string, bytes: Buffer): SourceReading {
  const document = parse(source, bytes);
  const found = formatOf(document);
  if (!found) throw new AppError('priceSource.unknownFormat', { source });
  const { models, faults } = found.read();
  if (models.length > maxModels) throw new AppError('priceSource.tooMany', { source, max: maxModels });
  if (models.length + faults.length === 0) throw new AppError('priceSource.empty', { source });
  return { source, format: found.format, models: withBareNames(models), faults };
}

function parse(source: string, bytes: Buffer): unknown {
  try {
    // Editors of some systems put a mark in front of a file.
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    const isPage = /^\s*</.test(bytes.subarray(0, 200).toString('utf8'));
    const reason = coded(isPage ? 'input.isWebPage' : 'input.notJson');
    throw new AppError('priceSource.unreadable', { source, reason }, { cause });
  }
}

interface Format {
  format: SourceFormat;
  read(): SourceModels;
}

function formatOf(document: unknown): Format | undefined {
  const data = isJsonObject(document) ? document.data : document;
  if (Array.isArray(data)) {
    const isSome = (name: string) => data.some((entry) => Object.hasOwn(recordOf(entry), name));
    if (isSome('model_name')) return { format: 'new-api', read: () => readPriceList(data) };
    if (isSome('id') && isSome('pricing')) return { format: 'openrouter', read: () => readOpenrouter(data) };
    return undefined;
  }
  if (!isJsonObject(document)) return undefined;
  const maps = isJsonObject(data) ? data : document;
  if (isJsonObject(maps.model_ratio) || isJsonObject(maps.model_price)) {
    return { format: 'ratio-config', read: () => readRatioConfig(maps) };
  }
  const entries = Object.values(document).filter(isJsonObject);
  if (entries.some(({ models }) => isJsonObject(models))) {
    return { format: 'models.dev', read: () => readModelsDev(document) };
  }
  const isLitellm = entries.some((entry) => 'litellm_provider' in entry || 'input_cost_per_token' in entry);
  return isLitellm ? { format: 'litellm', read: () => readLitellm(document) } : undefined;
}

/**
 * `vendor/model` is also found as `model`, unless the list has that name itself or several vendors have it at different prices.
 */
function withBareNames(models: SourceModel[]): SourceModel[] {
  const taken = new Set(models.map(({ model }) => model));
  const bare = new Map<string, SourceModel | 'different'>();
  for (const one of models) {
    const name = one.model.slice(one.model.lastIndexOf('/') + 1);
    if (name === '' || taken.has(name)) continue;
    const other = bare.get(name);
    if (other === 'different') continue;
    if (!other?.price) bare.set(name, { ...one, model: name });
    else if (one.price && !samePrice(other, one)) bare.set(name, 'different');
  }
  return [...models, ...[...bare.values()].filter((one) => one !== 'different')];
}

const samePrice = (one: SourceModel, other: SourceModel) => JSON.stringify(one.price) === JSON.stringify(other.price);
