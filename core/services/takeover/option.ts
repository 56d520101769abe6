import type { OptionKey, OptionSet } from '../../schemas/option.ts';
import { definitionOf, isOptionKey } from '../../schemas/option.ts';
import type { OptionService } from '../option/option.ts';
import { textOf } from './field.ts';
import { optionsFromOneHub } from './one-hub-option.ts';
import { createTally, type Taking, type Tally } from './taking.ts';

/** one-api's names for what has another name here. */
const renamed: Record<string, OptionKey> = {
  OidcEnabled: 'oidc.enabled',
  OidcClientId: 'oidc.client_id',
  OidcClientSecret: 'oidc.client_secret',
  OidcWellKnown: 'oidc.well_known',
  OidcAuthorizationEndpoint: 'oidc.authorization_endpoint',
  OidcTokenEndpoint: 'oidc.token_endpoint',
  OidcUserinfoEndpoint: 'oidc.user_info_endpoint',
};

/** Settings that are known here and not set yet; each of the others is named. */
export async function takeOptions(taking: Taking, options: Pick<OptionService, 'put' | 'has'>): Promise<Tally> {
  const tally = createTally('options');
  const wanted: OptionSet[] = [];
  const rows = await taking.source.all('options');
  const stored = rows.map((row): [string, string] => [textOf(row, 'key'), String(row.value ?? '')]);
  const others = taking.source.kind === 'one-hub' ? await optionsFromOneHub(taking.source) : [];
  const isReplaced = ([name]: [string, string]) => others.some(([key]) => key === name);
  for (const [name, value] of [...stored.filter((entry) => !isReplaced(entry)), ...others]) {
    const key = renamed[name] ?? name;
    if (!isOptionKey(key)) tally.skip('optionUnknown', name);
    // Nothing is said by a blank, nor by what is the default anyway.
    else if (value === '' || options.has(key)) present(tally, options, key, value);
    else if ('fault' in definitionOf(key).read(value)) tally.skip('optionInvalid', name);
    else {
      wanted.push({ key, value });
      tally.taken();
    }
  }
  await options.put(taking.actor, wanted, taking.transaction);
  return tally;
}

function present(tally: Tally, options: Pick<OptionService, 'has'>, key: OptionKey, value: string): void {
  tally.present();
  if (value !== '' && options.has(key)) tally.note('optionSet', key);
}
