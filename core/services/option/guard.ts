import { AppError } from '../../errors/app-error.ts';
import { defaultGroup } from '../../schemas/group.ts';
import { definitionOf, destinationsOfSecret, type OptionKey, type OptionValues } from '../../schemas/option.ts';

type Values = <K extends OptionKey>(key: K) => OptionValues[K];

/** Switches that make no sense before something else is set. */
const needed: Partial<Record<OptionKey, OptionKey[]>> = {
  GitHubOAuthEnabled: ['GitHubClientId'],
  LinuxDOOAuthEnabled: ['LinuxDOClientId'],
  WeChatAuthEnabled: ['WeChatServerAddress'],
  TelegramOAuthEnabled: ['TelegramBotToken', 'TelegramBotName'],
  TurnstileCheckEnabled: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  EmailDomainRestrictionEnabled: ['EmailDomainWhitelist'],
  'oidc.enabled': ['oidc.client_id'],
};

interface AddressCheck {
  /** The texts that are set. */
  next: ReadonlyMap<OptionKey, { text: string }>;
  before: Values;
  after: Values;
  differs(key: OptionKey, text: string): boolean;
}

/** The payment service reports to our own address: without it an order would be paid and never credited. */
export function checkPaymentAddress({ next, before, after, differs }: AddressCheck): void {
  if (after('ServerAddress') !== '') return;
  if (before('ServerAddress') !== '' && after('PayAddress') !== '')
    throw new AppError('option.addressInUse', { key: 'ServerAddress', user: 'PayAddress' });
  for (const [key, { text }] of next) {
    const isNew = definitionOf(key).card === 'payment' && text !== '' && differs(key, text);
    if (isNew) throw new AppError('option.addressFirst', { key, needed: 'ServerAddress' });
  }
}

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

/** What a switch that stays on needs is not taken away: with an empty site key of Turnstile, for one, no one could sign in. */
export function checkStillNeeded(before: Values, after: Values): void {
  for (const [name, keys] of Object.entries(needed)) {
    const user = name as OptionKey;
    if (after(user) !== true) continue;
    const lost = keys.find((key) => before(key).toString() !== '' && after(key).toString() === '');
    if (lost) throw new AppError('option.inUse', { key: lost, user });
  }
}

/** Every account without another group is in the default one, and calls of a group without a ratio are refused. */
export function checkDefaultGroup(before: Values, after: Values): void {
  const hasDefault = (values: Values) => Object.hasOwn(values('GroupRatio'), defaultGroup);
  if (hasDefault(before) && !hasDefault(after))
    throw new AppError('option.defaultGroup', { key: 'GroupRatio', group: defaultGroup });
}

export interface SecretMove {
  before: Values;
  after: Values;
  /** Everything the call sets, secrets included. */
  changed: ReadonlySet<OptionKey>;
  /** Root says that stored secrets may go to the new addresses. */
  isConfirmed: boolean;
}

/**
 * A stored secret follows its destination (S11): a change of the address asks for the secret. Returns the secrets
 * that are left without any address: kept, they would go to whatever address is saved next.
 */
export function strandedSecrets({ before, after, changed, isConfirmed }: SecretMove): OptionKey[] {
  const stranded: OptionKey[] = [];
  for (const [name, addresses] of Object.entries(destinationsOfSecret)) {
    const secret = name as OptionKey;
    if (before(secret) === '' || changed.has(secret)) continue;
    const [former, next] = [destinationOf(addresses, before), destinationOf(addresses, after)];
    if (former === '' || former === next) continue;
    if (next === '') stranded.push(secret);
    else if (!isConfirmed) {
      const key = addresses.find((address) => changed.has(address)) ?? secret;
      throw new AppError('option.secretNeeded', { key, secret });
    }
  }
  return stranded;
}

function destinationOf(addresses: readonly OptionKey[], values: Values): string {
  return hostOf(addresses.map((key) => String(values(key))).find((address) => address !== '') ?? '');
}

function hostOf(address: string): string {
  return URL.canParse(address) && address.includes('//') ? new URL(address).origin : address.toLowerCase();
}
