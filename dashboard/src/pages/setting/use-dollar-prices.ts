import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ratiosOfDollars } from '../../../../core/billing/dollar-ratio.ts';
import { type PriceRow as ListedPrice, priceListOptions } from '../../api/pricing.ts';
import { completionRatioOptions } from '../../api/setting.ts';
import { useStatus } from '../../api/status.ts';
import { type PriceRow, type Prices, usePrices } from './use-prices.ts';

export const dollarFields = ['input', 'cached', 'output', 'perCall'] as const;
export type DollarField = (typeof dollarFields)[number];

/** US dollars per million tokens, or per call; the text being typed while it is no number. */
type DollarFigures = Partial<Record<DollarField, number | string | undefined>>;

export interface DollarRow extends DollarFigures {
  name: string;
  isOwn: boolean;
  /** Groups in which an enabled channel serves it; none for the others. */
  groups: string[];
  /** Served, and refused because it has no price. */
  isUnpriced: boolean;
  /** As they are stored. */
  stored: DollarFigures;
}

export interface DollarPrices {
  /** Those that channels serve first; undefined while one of the stored texts is no JSON. */
  rows: DollarRow[] | undefined;
  set(row: DollarRow, field: DollarField, value: number | string): void;
  remove: Prices['remove'];
}

const million = 1_000_000;

/** The price maps in dollars. Changing one figure changes no other: ratios that depend on it are rewritten. */
export function useDollarPrices(added: readonly string[]): DollarPrices {
  const { rows, storedRows, set, remove } = usePrices();
  const { quota_per_unit: quotaPerUnit } = useStatus();
  const { data: listed } = useQuery(priceListOptions);
  const { data: completionRatios } = useQuery(completionRatioOptions);
  /** What stood beside an input price when its change began: what is typed on the way does not count. */
  const kept = useRef(new Map<string, DollarFigures>());

  const dollarRows = useMemo(() => {
    if (!rows || !storedRows) return undefined;
    const served = new Map(listed?.data.map((one) => [one.model_name, one]));
    const [now, before] = [byName(rows), byName(storedRows)];
    const names = new Set([...added, ...served.keys(), ...now.keys()]);
    const figures = (name: string, row: PriceRow | undefined) =>
      figuresOf(row, { listed: served.get(name), completionRatio: completionRatios?.[name], quotaPerUnit });
    const all = [...names].map((name): DollarRow => {
      const [own, stored] = [figures(name, now.get(name)), figures(name, before.get(name))];
      return {
        ...own,
        name,
        isOwn: now.get(name)?.isOwn ?? false,
        groups: served.get(name)?.enable_groups ?? [],
        // As it is stored: a row keeps its place while its price is typed.
        isUnpriced: served.has(name) && stored.input === undefined && stored.perCall === undefined,
        stored,
      };
    });
    const rank = ({ name, groups, isUnpriced }: DollarRow) =>
      added.includes(name) ? 0 : isUnpriced ? 1 : groups.length > 0 ? 2 : 3;
    return all.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  }, [rows, storedRows, listed, completionRatios, quotaPerUnit, added]);

  function setInput(row: DollarRow, value: number | string): void {
    const known = kept.current.get(row.name) ?? { output: row.output, cached: row.cached };
    kept.current.set(row.name, known);
    if (typeof value === 'string') {
      set(row.name, { ratio: value === '' ? undefined : value });
      return;
    }
    const ratios = ratiosOfDollars({ input: value, ...numbersOf(known) }, quotaPerUnit, undefined);
    const { modelRatio, completionRatio, cacheRatio } =
      ratios ?? ratiosOfDollars({ input: value }, quotaPerUnit, undefined) ?? {};
    set(row.name, {
      ratio: modelRatio,
      ...(completionRatio !== undefined && { completionRatio }),
      ...(cacheRatio !== undefined && { cacheRatio }),
    });
  }

  return {
    rows: dollarRows,
    remove(name) {
      kept.current.delete(name);
      remove(name);
    },
    set(row, field, value) {
      if (field === 'input') return setInput(row, value);
      kept.current.delete(row.name);
      const price = value === '' ? undefined : value;
      if (field === 'perCall') return set(row.name, { price });
      const option = field === 'output' ? 'completionRatio' : 'cacheRatio';
      if (typeof price !== 'number') return set(row.name, { [option]: price });
      const input = typeof row.input === 'number' ? row.input : undefined;
      const ratios = ratiosOfDollars({ [field]: price }, quotaPerUnit, input);
      set(row.name, { [option]: ratios?.[option] });
    },
  };
}

const byName = (rows: readonly PriceRow[]) => new Map(rows.map((row) => [row.name, row]));

function numbersOf({ output, cached }: DollarFigures) {
  return {
    ...(typeof output === 'number' && { output }),
    ...(typeof cached === 'number' && { cached }),
  };
}

interface Known {
  /** As the price page has it, where a channel serves the model. */
  listed: ListedPrice | undefined;
  completionRatio: number | undefined;
  quotaPerUnit: number;
}

/** What the maps say, and for what they leave out what the server counts with. */
function figuresOf(row: PriceRow | undefined, { listed, completionRatio, quotaPerUnit }: Known): DollarFigures {
  const isListed = listed && listed.price_source !== 'none';
  if (row?.price !== undefined) return { perCall: row.price as number | string };
  if (row?.ratio === undefined && isListed && listed.quota_type === 1) return { perCall: listed.model_price };
  const ratio = row?.ratio ?? (isListed ? listed.model_ratio : undefined);
  if (typeof ratio !== 'number') return ratio === undefined ? {} : { input: String(ratio) };
  const input = (ratio * million) / quotaPerUnit;
  const part = (own: unknown, known: number | undefined) => {
    const factor = own ?? known;
    return typeof factor === 'number' ? tidy(input * factor) : (factor as string | undefined);
  };
  return {
    input: tidy(input),
    cached: part(row?.cacheRatio, listed?.cache_ratio),
    output: part(row?.completionRatio, completionRatio ?? listed?.completion_ratio),
  };
}

/** What ten decimals of a ratio leave behind the price is noise. */
const tidy = (dollars: number) => Number(dollars.toPrecision(8));
