import { AppError } from '../errors/app-error.ts';
import type { OptionKey, OptionValues } from '../schemas/option.ts';

type Values = <K extends OptionKey>(key: K) => OptionValues[K];

/** Switches that make no sense before something else is set. */
const needed: Partial<Record<OptionKey, OptionKey[]>> = {
  GitHubOAuthEnabled: ['GitHubClientId'],
  LinuxDOOAuthEnabled: ['LinuxDOClientId'],
  WeChatAuthEnabled: ['WeChatServerAddress'],
  TelegramOAuthEnabled: ['TelegramBotToken'],
  TurnstileCheckEnabled: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  EmailDomainRestrictionEnabled: ['EmailDomainWhitelist'],
  'oidc.enabled': ['oidc.client_id'],
};

/** Addresses made from another one: without it the payment service would report to nobody. */
const neededAddress: Partial<Record<OptionKey, OptionKey>> = { PayAddress: 'ServerAddress' };

/** `hasOwn` says whether the operator has saved a value, in this call or before. */
export function checkNeededAddress(key: OptionKey, text: string, hasOwn: (key: OptionKey) => boolean): void {
  const needed = neededAddress[key];
  if (text !== '' && needed && !hasOwn(needed)) throw new AppError('option.addressFirst', { key, needed });
}

/** Where a secret is sent to: whoever changes the address must know the secret. */
const secretOfDestination: Partial<Record<OptionKey, OptionKey>> = {
  SMTPServer: 'SMTPToken',
  WorkerUrl: 'WorkerValidKey',
  WeChatServerAddress: 'WeChatServerToken',
  'oidc.token_endpoint': 'oidc.client_secret',
  'oidc.well_known': 'oidc.client_secret',
};

/** An address that is not saved is found by way of another one: giving it one of its own is a move too. */
const foundBy: Partial<Record<OptionKey, OptionKey>> = { 'oidc.token_endpoint': 'oidc.well_known' };

/** Where this server, or the browser of a payer, is sent to. */
const calledAddresses = new Set<OptionKey>([
  'PayAddress',
  'WorkerUrl',
  'WeChatServerAddress',
  'oidc.well_known',
  'oidc.token_endpoint',
  'oidc.user_info_endpoint',
]);

export const isCalledAddress = (key: OptionKey): boolean => calledAddresses.has(key);

export function checkNeeded(key: OptionKey, value: unknown, values: Values): void {
  if (value !== true) return;
  const missing = (needed[key] ?? []).find((other) => values(other).toString() === '');
  if (missing) throw new AppError('option.needsOther', { key, needed: missing });
}

export function checkSecretDestination(key: OptionKey, value: string, values: Values, renewed: Set<OptionKey>): void {
  const secret = secretOfDestination[key];
  if (!secret || renewed.has(secret) || values(secret) === '') return;
  const finder = foundBy[key];
  const former = String(values(key) || (finder && values(finder)) || '');
  if (former === '' || value === '' || hostOf(former) === hostOf(value)) return;
  throw new AppError('option.secretNeeded', { key, secret });
}

function hostOf(address: string): string {
  return URL.canParse(address) && address.includes('//') ? new URL(address).origin : address.toLowerCase();
}
