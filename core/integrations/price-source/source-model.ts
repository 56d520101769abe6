import { storableText } from '../../lib/storable-text.ts';
import { maxModelNameLength } from '../../schemas/channel-field.ts';
import { type Modality, type ModelFacts, modalities, noFacts } from '../../schemas/model-fact.ts';
import { largestRatio } from '../../schemas/option/json.ts';
import { type ListedPrice, largestListPrice, type SourceFault } from '../../schemas/price-sync.ts';

/** One model of a price list; without a price where the list has none that calls can be charged by. */
export interface SourceModel {
  model: string;
  price?: ListedPrice;
  facts: ModelFacts;
}

export interface SourceModels {
  models: SourceModel[];
  faults: SourceFault[];
}

/** A figure as the list has it: the name of its field, the value, and by what it becomes US dollars per million tokens. */
export type SourceField = [name: string, value: unknown, factor?: number];

export interface SourceFields {
  input?: SourceField;
  cached?: SourceField;
  cache_write?: SourceField;
  output?: SourceField;
  /** US dollars per call; the other figures do not count then. */
  call?: SourceField;
}

interface SourceEntry {
  model: string;
  fields: SourceFields;
  facts?: Partial<ModelFacts>;
  /** It writes no text, as a model for embeddings: an output price of 0 is no figure. */
  isWithoutOutput?: boolean;
  longPrompt?: { above: number; input?: SourceField; cached?: SourceField; output?: SourceField } | undefined;
}

export const perToken = 1_000_000;

/** Collects the models of one list; a figure that nothing may be charged by is a fault of its model, and its price is left out. */
export function createSourceModels() {
  const models: SourceModel[] = [];
  const faults: SourceFault[] = [];

  function add({ model, fields, facts, isWithoutOutput = false, longPrompt }: SourceEntry): void {
    if (!isModelName(model)) {
      faults.push({ model: model.slice(0, 80), field: 'model', value: model.slice(0, 40), fault: 'badName' });
      return;
    }
    const read = createFigureReader(model);
    const price = fields.call
      ? callPrice(read(fields.call))
      : tokenPrice(fields, { read, isWithoutOutput, longPrompt });
    const isFaulty = read.faults.length > 0;
    faults.push(...read.faults);
    models.push({ model, ...(price && !isFaulty && { price }), facts: { ...noFacts, ...facts } });
  }

  return { add, result: (): SourceModels => ({ models, faults }) };
}

type FigureReader = ReturnType<typeof createFigureReader>;

const callPrice = (call: number | undefined): ListedPrice | undefined => (call === undefined ? undefined : { call });

interface TokenPriceTerms extends Pick<SourceEntry, 'longPrompt'> {
  read: FigureReader;
  isWithoutOutput: boolean;
}

function tokenPrice(fields: SourceFields, { read, isWithoutOutput, longPrompt }: TokenPriceTerms) {
  const input = read(fields.input);
  const output = read(fields.output, { isZeroAbsent: isWithoutOutput });
  // Cached tokens at no price are a gap in the list: no vendor gives them away.
  const cached = read(fields.cached, { isZeroAbsent: true });
  const cacheWrite = read(fields.cache_write, { isZeroAbsent: true });
  if (input === undefined) return undefined;
  for (const [field, value] of [[fields.output, output] as const, [fields.cached, cached] as const]) {
    if (field && value !== undefined && value / input > largestRatio) read.fail(field, 'tooLarge');
  }
  const step = longPrompt && longStep(longPrompt, { input, output, cached }, read);
  return {
    input,
    ...(cached !== undefined && { cached }),
    ...(cacheWrite !== undefined && { cache_write: cacheWrite }),
    ...(output !== undefined && { output }),
    ...(step && { long_prompt: step }),
  };
}

/** What the list does not say of long prompts stays as it is for short ones. */
function longStep(
  { above, ...fields }: NonNullable<SourceEntry['longPrompt']>,
  base: { input: number; output: number | undefined; cached: number | undefined },
  read: FigureReader,
) {
  const input = read(fields.input);
  const output = read(fields.output);
  const cached = read(fields.cached, { isZeroAbsent: true });
  if (input === undefined && output === undefined) return undefined;
  const wasCached = base.cached ?? base.input;
  return {
    above,
    input: input ?? base.input,
    cached: cached ?? (input === undefined ? wasCached : (wasCached * input) / base.input),
    output: output ?? base.output ?? base.input,
  };
}

function createFigureReader(model: string) {
  const faults: SourceFault[] = [];
  const fail = ([field, value]: SourceField, fault: SourceFault['fault']) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    faults.push({ model, field, value: text.slice(0, 40), fault });
    return undefined;
  };
  const read = (field: SourceField | undefined, { isZeroAbsent = false } = {}): number | undefined => {
    const [, raw, factor = 1] = field ?? [];
    if (!field || raw === undefined || raw === null || raw === '') return undefined;
    const value = typeof raw === 'string' && /^[-+]?\d*\.?\d+(e[-+]?\d+)?$/i.test(raw.trim()) ? Number(raw) : raw;
    if (typeof value !== 'number' || Number.isNaN(value)) return fail(field, 'notNumber');
    if (value < 0) return fail(field, 'negative');
    const dollars = Number((value * factor).toPrecision(12));
    if (!(dollars <= largestListPrice)) return fail(field, 'tooLarge');
    // Also what is so small that it would be stored as 0.
    if (dollars < smallestPrice) return isZeroAbsent ? undefined : fail(field, 'zero');
    return dollars;
  };
  return Object.assign(read, { faults, fail });
}

/** Ratios are stored with ten decimals. */
const smallestPrice = 1e-8;

const isModelName = (name: string) =>
  name.trim() === name && name !== '' && name.length <= maxModelNameLength && storableText(name) === name;

/** Numbers that are no count of tokens are left out. */
export const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 1_000_000_000 ? value : 0;

export const dayOf = (value: unknown): string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value.slice(0, 10)))
    ? value.slice(0, 10)
    : '';

/** What the fields that a list has set stand for. */
export const flagged = <T>(flags: [name: string, meaning: T][], isSet: (name: string) => boolean): T[] =>
  flags.filter(([name]) => isSet(name)).map(([, meaning]) => meaning);

/** Unix seconds of this century. */
export const dayOfSeconds = (value: unknown): string =>
  typeof value === 'number' && value > 946_684_800 && value < 4_102_444_800
    ? dayOf(new Date(value * 1000).toISOString())
    : '';

const otherNames: Record<string, Modality> = { file: 'pdf', document: 'pdf', images: 'image' };

/** The modalities we know, in one order. */
export function modalitiesOf(value: unknown): Modality[] {
  if (!Array.isArray(value)) return [];
  const named = new Set(value.map((one) => otherNames[String(one)] ?? String(one)));
  return modalities.filter((one) => named.has(one));
}
