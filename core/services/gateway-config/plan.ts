import type { JsonObject } from '../../lib/json-value.ts';
import { coded } from '../../text/coded.ts';

/** A channel that a file of another gateway describes. */
export interface PlannedChannel {
  /** Where in the file: `model_list[0]`. */
  place: string;
  name: string;
  /** As in a file of `channel export`. */
  entry: JsonObject;
  /** Where the key comes from: a name of the environment, or '' for one that the file contains. */
  keyFrom: string;
}

/** One thing that has no place here, and why. */
export interface LeftOut {
  place: string;
  reason: string;
}

export interface ConfigPlan {
  kind: 'LiteLLM' | 'Portkey';
  channels: PlannedChannel[];
  left: LeftOut[];
}

export type Variables = (name: string) => string | undefined;

/** What one upstream account is, before models are put together. */
export interface Account {
  type: string;
  base_url: string;
  key: string;
  keyFrom: string;
  other: string;
  openai_organization: string;
  priority: number;
  weight: number;
  status: 'enabled' | 'disabled';
}

export const plainAccount: Account = {
  type: '',
  base_url: '',
  key: '',
  keyFrom: '',
  other: '',
  openai_organization: '',
  priority: 0,
  weight: 0,
  status: 'enabled',
};

export interface AccountModel {
  place: string;
  account: Account;
  /** What clients call it, and what the upstream calls it. */
  name: string;
  model: string;
}

/** One channel for each account; a second one where an account serves two models under the same name. */
export function channelsOf(prefix: string, models: AccountModel[]): PlannedChannel[] {
  const groups: { account: Account; place: string; models: Map<string, string> }[] = [];
  for (const { account, name, model, place } of models) {
    const fits = groups.find((group) => isSame(group.account, account) && (group.models.get(name) ?? model) === model);
    if (fits) fits.models.set(name, model);
    else groups.push({ account, place, models: new Map([[name, model]]) });
  }
  const used = new Map<string, number>();
  return groups.map(({ account, place, models: names }) => {
    const count = (used.get(account.type) ?? 0) + 1;
    used.set(account.type, count);
    const name = `${prefix}-${account.type}${count > 1 ? `-${count}` : ''}`;
    const { keyFrom, ...fields } = account;
    const mapping = Object.fromEntries([...names].filter(([from, to]) => from !== to));
    return { place, name, keyFrom, entry: { ...fields, name, models: [...names.keys()], model_mapping: mapping } };
  });
}

const isSame = (a: Account, b: Account) => JSON.stringify(a) === JSON.stringify(b);

export const noPlace = (place: string): LeftOut => ({ place, reason: coded('gateway.noPlace') });

export const leftOut = (place: string, code: Parameters<typeof coded>[0], details = {}): LeftOut => ({
  place,
  reason: coded(code, details),
});
