import { listEntryOf, listedModels } from '../../billing/list-price.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Outbound } from '../../integrations/outbound/outbound.ts';
import { fetchSource, maxSourceBytes, shownAddress } from '../../integrations/price-source/fetch-source.ts';
import { readSource } from '../../integrations/price-source/read-source.ts';
import type { ModelFacts } from '../../schemas/model-fact.ts';
import { noFacts } from '../../schemas/model-fact.ts';
import { namedSources } from '../../schemas/price-source.ts';
import type { ListedPrice, PriceSyncPreview, SourceFault, SourceFormat } from '../../schemas/price-sync.ts';

export interface ListedModel {
  price: ListedPrice | undefined;
  facts: ModelFacts;
}

/** A list of prices that was read, to be asked for models. */
export interface PriceReading {
  source: string;
  format: SourceFormat;
  /** Models with a price. */
  listed: number;
  names(): string[];
  find(model: string): ListedModel | undefined;
  faults: SourceFault[];
  /** A model without a step for long prompts has none; other formats cannot say it. */
  saysSteps: boolean;
}

interface ReadingDependencies {
  outbound: Pick<Outbound, 'fetchBytes'>;
  timeoutMs?: number | undefined;
}

const withSteps: SourceFormat[] = ['packaged', 'litellm', 'models.dev'];

/** The list that is meant: the one that ships with the program, one at an address, or the text of a file. */
export async function readPrices(
  { source, content }: Pick<PriceSyncPreview, 'source' | 'content'>,
  dependencies: ReadingDependencies,
): Promise<PriceReading> {
  if (content !== undefined) return readingOf(source, Buffer.from(content));
  if (source === 'packaged' || source === '') return packagedReading();
  const address = addressOf(source);
  if (address === undefined) throw new AppError('priceSource.unknown', { source: source.slice(0, 200) });
  const name = Object.hasOwn(namedSources, source) ? source : shownAddress(address);
  return readingOf(name, await fetchSource(address, dependencies));
}

export function addressOf(source: string): string | undefined {
  if (Object.hasOwn(namedSources, source)) return namedSources[source as keyof typeof namedSources];
  return /^https?:\/\//i.test(source) && URL.canParse(source) ? source : undefined;
}

function readingOf(source: string, bytes: Buffer): PriceReading {
  if (bytes.length > maxSourceBytes)
    throw new AppError('priceSource.tooLarge', { source, mib: maxSourceBytes / 2 ** 20 });
  const { format, models, faults } = readSource(source, bytes);
  const byName = new Map(models.map(({ model, price, facts }) => [model, { price, facts }]));
  return {
    source,
    format,
    listed: models.filter(({ price }) => price).length,
    names: () => [...byName.keys()],
    find: (model) => byName.get(model),
    faults,
    saysSteps: withSteps.includes(format),
  };
}

export function packagedReading(): PriceReading {
  const find = (model: string) => {
    const entry = listEntryOf(model);
    return entry && { price: entry.price, facts: entry.facts ?? noFacts };
  };
  const names = listedModels();
  return {
    source: 'packaged',
    format: 'packaged',
    listed: names.length,
    names: () => names,
    find,
    faults: [],
    saysSteps: true,
  };
}
