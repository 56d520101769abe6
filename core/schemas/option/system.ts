import { onCard } from './card.ts';
import { numberMap } from './json.ts';
import { decimal, flag, list, secret, text, whole } from './kind.ts';
import { baseAddress, link, originAddress } from './link.ts';

const idle = { withoutEffect: true } as const;

/** Addresses, payment, sign-in and mail: the tab `system`. A secret stands with the address it is sent to. */
export const systemOptions = {
  ...onCard('server', {
    /** Empty: consoles take the address in the browser's bar; what leaves this server without a browser needs it set. */
    ServerAddress: originAddress(),
    FileUploadPermission: whole(0, 0, 100, idle),
    FileDownloadPermission: whole(0, 0, 100, idle),
    ImageUploadPermission: whole(0, 0, 100, idle),
    ImageDownloadPermission: whole(0, 0, 100, idle),
  }),
  ...onCard('worker', { WorkerUrl: link(), WorkerValidKey: secret() }),
  ...onCard('payment', {
    PayAddress: baseAddress(),
    EpayId: text(''),
    EpayKey: secret(),
    CustomCallbackAddress: baseAddress(),
    Price: decimal(7.3, 0, 1_000_000),
    MinTopUp: whole(1, 1, 1_000_000_000),
    TopupGroupRatio: numberMap({ default: 1, vip: 1, svip: 1 }),
  }),
  ...onCard('sign-in', {
    PasswordLoginEnabled: flag(true),
    PasswordRegisterEnabled: flag(true),
    RegisterEnabled: flag(true),
    EmailVerificationEnabled: flag(false),
  }),
  ...onCard('email', {
    EmailDomainRestrictionEnabled: flag(false),
    EmailAliasRestrictionEnabled: flag(false),
    EmailDomainWhitelist: list([
      ...['gmail.com', '163.com', '126.com', 'qq.com', 'outlook.com', 'hotmail.com', 'icloud.com', 'yahoo.com'],
      'foxmail.com',
    ]),
  }),
  ...onCard('mail', {
    SMTPServer: text('', 255),
    SMTPPort: whole(587, 1, 65_535),
    SMTPAccount: text('', 255),
    SMTPFrom: text('', 255),
    SMTPToken: secret(),
    SMTPSSLEnabled: flag(false),
  }),
  ...onCard('github', {
    GitHubOAuthEnabled: flag(false),
    GitHubClientId: text(''),
    GitHubClientSecret: secret(),
  }),
  ...onCard('linux-do', {
    LinuxDOOAuthEnabled: flag(false),
    LinuxDOClientId: text(''),
    LinuxDOClientSecret: secret(),
    LinuxDOMinimumTrustLevel: whole(0, 0, 4),
  }),
  ...onCard('wechat', {
    WeChatAuthEnabled: flag(false),
    WeChatServerAddress: baseAddress(),
    WeChatServerToken: secret(),
    WeChatAccountQRCodeImageURL: link({ allowPath: true }),
  }),
  ...onCard('telegram', {
    TelegramOAuthEnabled: flag(false),
    TelegramBotName: text(''),
    TelegramBotToken: secret(),
  }),
  ...onCard('oidc', {
    'oidc.enabled': flag(false),
    'oidc.client_id': text(''),
    'oidc.client_secret': secret(),
    'oidc.well_known': link(),
    'oidc.authorization_endpoint': link(),
    'oidc.token_endpoint': link(),
    'oidc.user_info_endpoint': link(),
  }),
  ...onCard('turnstile', {
    TurnstileCheckEnabled: flag(false),
    TurnstileSiteKey: text(''),
    TurnstileSecretKey: secret(),
  }),
};
