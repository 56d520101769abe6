import type { Database } from '../../database/connect.ts';
import { AppError } from '../../errors/app-error.ts';
import { maskText } from '../../errors/mask-text.ts';
import type { OutsideIdentity, SignInProvider } from '../../integrations/sign-in-provider.ts';
import { readTelegramLogin, type TelegramLogin } from '../../integrations/telegram/login-data.ts';
import type { WeChat } from '../../integrations/wechat/wechat.ts';
import { type Clock, nowSeconds } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Actor } from '../../schemas/actor.ts';
import type { OptionKey } from '../../schemas/option.ts';
import type { OauthCallback, OauthProvider } from '../../schemas/outside-sign-in.ts';
import { coded } from '../../text/coded.ts';
import type { AccountService } from '../account/account.ts';
import type { AuditService } from '../audit.ts';
import type { OptionService } from '../option/option.ts';
import { publicAddress } from '../option/public-address.ts';
import type { FreshSessions } from './fresh-session.ts';
import { createOauthStates, type StateContent } from './oauth-state.ts';
import { createOutsideAccounts, type OutsideKind } from './outside-account.ts';
import type { SessionService } from './session.ts';
import type { SignedIn, SignInOrigin } from './sign-in.ts';

export interface OutsideSignInDependencies {
  database: Database;
  secretBox: SecretBox;
  options: Pick<OptionService, 'get'>;
  accounts: Pick<AccountService, 'open'>;
  sessions: Pick<SessionService, 'enter' | 'visitor'>;
  freshSessions: Pick<FreshSessions, 'require'>;
  audit: Pick<AuditService, 'record'>;
  providers: Record<OauthProvider, SignInProvider>;
  weChat: WeChat;
  /** Why a provider did not confirm a user is for the operator. */
  onError(error: unknown): void;
  now?: Clock;
}

/** The browser a sign-in runs in. */
export interface Browser {
  /** The secret of its cookie, '' when it has none. */
  secret: string;
  /** Who is signed in there. */
  visitor: Actor | undefined;
  /** The secret of that session's cookie. */
  sessionId: string | undefined;
  caller: SignInOrigin;
}

export type OutsideSignInService = ReturnType<typeof createOutsideSignIn>;

type Way = OauthProvider | 'wechat' | 'telegram';

const ways: Record<Way, OutsideKind & { label: string; option: OptionKey }> = {
  github: { label: 'GitHub', column: 'github_id', namePrefix: 'github', option: 'GitHubOAuthEnabled' },
  linuxdo: { label: 'LINUX DO', column: 'linux_do_id', namePrefix: 'linuxdo', option: 'LinuxDOOAuthEnabled' },
  oidc: { label: 'OIDC', column: 'oidc_id', namePrefix: 'oidc', option: 'oidc.enabled' },
  wechat: { label: 'WeChat', column: 'wechat_id', namePrefix: 'wechat', option: 'WeChatAuthEnabled' },
  telegram: { label: 'Telegram', column: 'telegram_id', namePrefix: 'telegram', option: 'TelegramOAuthEnabled' },
};

export function createOutsideSignIn(dependencies: OutsideSignInDependencies) {
  const { database, secretBox, options, providers, weChat, onError, now = nowSeconds } = dependencies;
  const { sessions, freshSessions } = dependencies;
  const states = createOauthStates({ database, secretBox, now });
  const outside = createOutsideAccounts(dependencies);

  function requireOn(way: Way): void {
    if (options.get(ways[way].option) !== true) throw new AppError('outside.off', { provider: ways[way].label });
  }

  const bindingOf = ({ secret, visitor }: Browser) => ({ browser: secret, userId: visitor?.id ?? 0 });
  /** Not every service is told where to send the browser back to: only those that are need our address. */
  const withRedirect = <T extends object>(provider: OauthProvider, request: T) => ({
    ...request,
    get redirectUri() {
      return `${publicAddress(options)}/oauth/${provider}`;
    },
  });
  /** Made from what the browser and the address line contain, so that nothing of it is stored. */
  const verifierOf = (state: string, { secret }: Browser) => secretBox.lookupHash(`oauth verifier ${secret} ${state}`);

  /** A way to sign in lets another person stay in the account: a session that was left open is not enough to add one. */
  async function requireOwner({ visitor, sessionId }: Pick<Browser, 'visitor' | 'sessionId'>): Promise<void> {
    if (visitor) await freshSessions.require(visitor, sessionId);
  }

  /** For consoles that write the address of the authorization page themselves. */
  async function begin(
    browser: Browser,
    input: { provider?: OauthProvider | undefined; aff: string },
  ): Promise<string> {
    await requireOwner(browser);
    return states.begin(bindingOf(browser), { provider: input.provider, inviterCode: input.aff, hasChallenge: false });
  }

  /** The whole address of the authorization page, with a challenge only this browser's sign-in can meet. */
  async function authorizationUrl(browser: Browser, input: { provider: OauthProvider; aff: string }): Promise<string> {
    const { provider, aff } = input;
    requireOn(provider);
    await requireOwner(browser);
    const state = await states.begin(bindingOf(browser), { provider, inviterCode: aff, hasChallenge: true });
    const request = withRedirect(provider, { state, verifier: verifierOf(state, browser) });
    return reported(providers[provider].authorizationUrl(request));
  }

  /** Signs in, or links the account when a user is already signed in: then there is no new session. */
  async function finish(provider: OauthProvider, callback: OauthCallback, browser: Browser) {
    requireOn(provider);
    const content = await states.take(callback.state, bindingOf(browser));
    if (!content || (content.provider ?? provider) !== provider) throw new AppError('oauth.state');
    if (callback.error !== '' || callback.code === '') throw declined(ways[provider].label, callback);
    const identity = await identify(provider, callback, browser, content);
    if (!browser.visitor) return outside.signIn(ways[provider], identity, content.inviterCode, browser.caller);
    await bind(browser.visitor, browser.sessionId, ways[provider], identity);
    return undefined;
  }

  /** The service took its time: a session that was ended meanwhile, as by a new password, adds no way to sign in. */
  async function bind(actor: Actor, sessionId: string | undefined, kind: OutsideKind, identity: OutsideIdentity) {
    await sessions.visitor(sessionId ?? '', actor.address);
    await outside.bind(actor, kind, identity);
  }

  async function identify(
    provider: OauthProvider,
    { code, state }: OauthCallback,
    browser: Browser,
    content: StateContent,
  ) {
    const verifier = content.hasChallenge ? verifierOf(state, browser) : undefined;
    try {
      return await reported(providers[provider].identify(withRedirect(provider, { code, verifier })));
    } catch (error) {
      const isSilent = error instanceof AppError && error.code === 'outbound.unreachable';
      if (isSilent) await states.putBack(state, bindingOf(browser), content);
      throw error;
    }
  }

  async function reported<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      onError(error);
      throw error;
    }
  }

  async function weChatId(code: string): Promise<{ id: string; displayName: string }> {
    requireOn('wechat');
    return { id: await reported(weChat.openIdOf(code)), displayName: '' };
  }

  const weChatSignIn = async (code: string, caller: SignInOrigin): Promise<SignedIn> =>
    outside.signIn(ways.wechat, await weChatId(code), '', caller);

  async function bindWeChat(actor: Actor, code: string, sessionId: string | undefined): Promise<void> {
    await requireOwner({ visitor: actor, sessionId });
    await bind(actor, sessionId, ways.wechat, await weChatId(code));
  }

  function telegramId(login: TelegramLogin): { id: string; displayName: string } {
    requireOn('telegram');
    const id = readTelegramLogin(login, { botToken: options.get('TelegramBotToken'), now: now() });
    if (id === undefined) throw new AppError('outside.telegramData');
    return { id, displayName: '' };
  }

  /** Only for accounts that were bound before: Telegram accounts are easy to create by the dozen. */
  async function telegramSignIn(login: TelegramLogin, caller: SignInOrigin): Promise<SignedIn> {
    const user = await outside.find(ways.telegram, telegramId(login));
    if (!user) throw new AppError('outside.unbound', { provider: ways.telegram.label });
    return outside.enter(user, caller);
  }

  async function bindTelegram(
    { visitor, sessionId }: Pick<Browser, 'visitor' | 'sessionId'>,
    login: TelegramLogin,
  ): Promise<void> {
    if (!visitor) throw new AppError('session.missing');
    await requireOwner({ visitor, sessionId });
    await outside.bind(visitor, ways.telegram, telegramId(login));
  }

  return { begin, authorizationUrl, finish, weChatSignIn, bindWeChat, telegramSignIn, bindTelegram };
}

function declined(provider: string, { error, error_description }: OauthCallback): AppError {
  const words = error_description || error;
  const reason = words ? maskText(words.slice(0, 200)) : coded('input.noCode');
  return new AppError('outside.declined', { provider, reason });
}
