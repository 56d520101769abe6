import { z } from 'zod';
import {
  authorizationQuery,
  callbackQuery,
  callbackResponseSchema,
  oauthProviders,
  stateQuery,
  telegramQuery,
  weChatQuery,
} from '../../schemas/outside-sign-in.ts';
import { secondStepNeededSchema } from '../../schemas/two-factor.ts';
import { userSchema } from '../../schemas/user.ts';
import type { OptionService } from '../../services/option/option.ts';
import type { Browser, OutsideSignInService } from '../../services/sign-in/outside-sign-in.ts';
import { admit } from '../console/second-step.ts';
import { browserSecretOf, ensureBrowserSecret } from '../cookie/browser-cookie.ts';
import { isHttps, refuseForeignPage } from '../cookie/session-cookie.ts';
import { type ConsoleCall, type ConsoleRoute, consoleRoute, responses } from '../route.ts';

interface OauthRouteDependencies {
  outsideSignIn: OutsideSignInService;
  options: Pick<OptionService, 'get'>;
}

type Call = Pick<ConsoleCall, 'headers' | 'reply' | 'caller' | 'visitor' | 'sessionId'>;

/** Signing in by way of others, and binding them to an account (console reference, 5.3 and 5.4). */
export function oauthRoutes({ outsideSignIn, options }: OauthRouteDependencies): ConsoleRoute[] {
  const isSecure = () => isHttps(options);

  async function beginning({ headers, reply, caller, visitor, sessionId }: Call): Promise<Browser> {
    return { secret: ensureBrowserSecret(headers, reply, isSecure()), visitor: await visitor(), sessionId, caller };
  }

  const callback = (provider: (typeof oauthProviders)[number]) =>
    consoleRoute({
      method: 'GET',
      path: `/api/oauth/${provider}`,
      access: 'public',
      rate: 'critical',
      query: callbackQuery,
      response: responses.whole(callbackResponseSchema),
      async handle(call) {
        const { headers, caller, sessionId } = call;
        const browser = { secret: browserSecretOf(headers), visitor: await call.visitor(), sessionId, caller };
        if (browser.visitor) refuseForeignPage(headers);
        const data = await admit(call.reply, isSecure(), () => outsideSignIn.finish(provider, call.query, browser));
        return data ? { success: true, message: '', data } : { success: true, message: 'bind' };
      },
    });

  return [
    consoleRoute({
      method: 'GET',
      path: '/api/oauth/state',
      access: 'public',
      rate: 'critical',
      query: stateQuery,
      response: responses.data(z.string()),
      handle: async (call) => outsideSignIn.begin(await beginning(call), call.query),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/oauth/authorization',
      access: 'public',
      rate: 'critical',
      query: authorizationQuery,
      response: responses.data(z.string()),
      handle: async (call) => outsideSignIn.authorizationUrl(await beginning(call), call.query),
    }),
    ...oauthProviders.map(callback),
    consoleRoute({
      method: 'GET',
      path: '/api/oauth/wechat',
      access: 'public',
      rate: 'critical',
      query: weChatQuery,
      response: responses.data(z.union([userSchema, secondStepNeededSchema])),
      async handle(call) {
        // No state guards this call: another site must not sign its visitors in as another user.
        refuseForeignPage(call.headers);
        return admit(call.reply, isSecure(), () => outsideSignIn.weChatSignIn(call.query.code, call.caller));
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/oauth/wechat/bind',
      access: 'user',
      objects: 'own',
      rate: 'critical',
      query: weChatQuery,
      response: responses.empty,
      handle: ({ actor, query, sessionId }) => outsideSignIn.bindWeChat(actor, query.code, sessionId),
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/oauth/telegram/login',
      access: 'public',
      rate: 'critical',
      query: telegramQuery,
      response: responses.data(z.union([userSchema, secondStepNeededSchema])),
      async handle(call) {
        refuseForeignPage(call.headers);
        return admit(call.reply, isSecure(), () => outsideSignIn.telegramSignIn(call.query, call.caller));
      },
    }),
    consoleRoute({
      method: 'GET',
      path: '/api/oauth/telegram/bind',
      access: 'session',
      objects: 'own',
      rate: 'critical',
      query: telegramQuery,
      response: responses.redirect,
      async handle({ headers, query, visitor, sessionId, reply }) {
        refuseForeignPage(headers);
        await outsideSignIn.bindTelegram({ visitor: await visitor(), sessionId }, query);
        return reply.redirect('/setting', 302);
      },
    }),
  ];
}
