import { describe, expect, it } from 'vitest';
import { listedModels } from '../../../../core/billing/list-price.ts';
import { ratesFor } from '../../../../core/billing/rates.ts';
import { reader } from '../../../../core/services/option/value.ts';
import { createDiff } from '../../../../core/services/pricing/price-diff.ts';
import { tablesWith } from '../../../../core/services/pricing/price-figure.ts';
import { packagedReading } from '../../../../core/services/pricing/price-reading.ts';
import { rateTablesOf } from '../../../../core/services/pricing/pricing.ts';

const get = reader(new Map());
const none = { served: new Map(), applied: new Map() };

describe('prices compared with a list', () => {
  it('do not differ from the list they come from', () => {
    const changeOf = createDiff({ get, reading: packagedReading(), ...none });
    const tables = rateTablesOf(get);
    const differing = listedModels().flatMap((model) => {
      const change = changeOf(model);
      return change && change.row.old_source === 'list' ? [[model, change.row.old, change.row.next]] : [];
    });
    expect(differing).toEqual([]);
    expect(ratesFor(tables, 'gpt-realtime-2', '').audioRatio).toBe(8);
  });

  it('take over what a list says and leave what it does not, such as the price of sound', () => {
    const packaged = packagedReading();
    const dearer = { input: 5, cached: 0.5, output: 20 };
    const find = (model: string) => {
      const entry = packaged.find(model);
      return entry && { ...entry, price: dearer };
    };
    const changeOf = createDiff({ get, reading: { ...packaged, find }, ...none });
    const change = changeOf('gpt-realtime-2');
    const after = ratesFor(
      tablesWith(rateTablesOf(get), 'gpt-realtime-2', change?.entries ?? {}),
      'gpt-realtime-2',
      '',
    );
    expect(after).toMatchObject({ modelRatio: 2.5, completionRatio: 4, audioRatio: 8, audioCompletionRatio: 2 });
  });
});
