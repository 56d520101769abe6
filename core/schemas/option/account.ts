import { flag, list, secret, text, whole } from './kind.ts';
import { baseAddress, link } from './link.ts';

/** The option GitHubClientId and its like; a client secret stays with the address it is sent to. */
export const accountOptions = {
  PasswordLoginEnabled: flag(true, ['sign-in', 'sign in with a password', '允许密码登录']),
  PasswordRegisterEnabled: flag(true, ['sign-in', 'register with a password', '允许密码注册']),
  RegisterEnabled: flag(true, ['sign-in', 'let people create accounts', '允许新用户注册']),
  EmailVerificationEnabled: flag(false, [
    'sign-in',
    'registration needs a verified e-mail address',
    '注册需要邮箱验证',
  ]),
  EmailDomainRestrictionEnabled: flag(false, ['sign-in', 'only listed e-mail domains', '启用邮箱域名白名单']),
  EmailAliasRestrictionEnabled: flag(false, ['sign-in', 'refuse + and . in e-mail names', '限制邮箱别名']),
  EmailDomainWhitelist: list(
    [
      'gmail.com',
      '163.com',
      '126.com',
      'qq.com',
      'outlook.com',
      'hotmail.com',
      'icloud.com',
      'yahoo.com',
      'foxmail.com',
    ],
    ['sign-in', 'e-mail domains, separated by commas', '邮箱域名白名单，以逗号分隔'],
  ),
  TurnstileCheckEnabled: flag(false, ['sign-in', 'human check by Turnstile', '启用 Turnstile 人机验证']),
  TurnstileSiteKey: text('', ['sign-in', 'Turnstile site key (public)', 'Turnstile Site Key（公开）']),
  TurnstileSecretKey: secret(['sign-in', 'Turnstile secret key', 'Turnstile Secret Key']),

  GitHubOAuthEnabled: flag(false, ['provider-sign-in', 'sign in with GitHub', '允许 GitHub 登录']),
  GitHubClientId: text('', ['provider-sign-in', 'GitHub client id', 'GitHub Client ID']),
  GitHubClientSecret: secret(['provider-sign-in', 'GitHub client secret', 'GitHub Client Secret']),
  LinuxDOOAuthEnabled: flag(false, ['provider-sign-in', 'sign in with Linux DO', '允许 Linux DO 登录']),
  LinuxDOClientId: text('', ['provider-sign-in', 'Linux DO client id', 'Linux DO Client ID']),
  LinuxDOClientSecret: secret(['provider-sign-in', 'Linux DO client secret', 'Linux DO Client Secret']),
  LinuxDOMinimumTrustLevel: whole(0, 0, 4, [
    'provider-sign-in',
    'lowest Linux DO trust level that may sign in',
    '允许登录的最低 Linux DO 信任等级',
  ]),
  WeChatAuthEnabled: flag(false, ['provider-sign-in', 'sign in with WeChat', '允许微信登录']),
  WeChatServerAddress: baseAddress('', ['provider-sign-in', 'WeChat server', '微信服务器地址']),
  WeChatServerToken: secret(['provider-sign-in', 'token of the WeChat server', '微信服务器令牌']),
  WeChatAccountQRCodeImageURL: link(
    ['provider-sign-in', 'picture of the WeChat QR code', '微信公众号二维码图片地址'],
    true,
  ),
  TelegramOAuthEnabled: flag(false, ['provider-sign-in', 'sign in with Telegram', '允许 Telegram 登录']),
  TelegramBotToken: secret(['provider-sign-in', 'token of the Telegram bot', 'Telegram 机器人令牌']),
  TelegramBotName: text('', ['provider-sign-in', 'name of the Telegram bot', 'Telegram 机器人名称']),
  'oidc.enabled': flag(false, ['provider-sign-in', 'sign in with OIDC', '允许 OIDC 登录']),
  'oidc.client_id': text('', ['provider-sign-in', 'OIDC client id', 'OIDC Client ID']),
  'oidc.client_secret': secret(['provider-sign-in', 'OIDC client secret', 'OIDC Client Secret']),
  'oidc.well_known': link(['provider-sign-in', 'OIDC discovery address', 'OIDC Well-Known 地址']),
  'oidc.authorization_endpoint': link(['provider-sign-in', 'OIDC authorization endpoint', 'OIDC 授权端点']),
  'oidc.token_endpoint': link(['provider-sign-in', 'OIDC token endpoint', 'OIDC 令牌端点']),
  'oidc.user_info_endpoint': link(['provider-sign-in', 'OIDC user info endpoint', 'OIDC 用户信息端点']),

  SMTPServer: text('', ['mail', 'mail server', 'SMTP 服务器地址'], 255),
  SMTPPort: whole(587, 1, 65_535, ['mail', 'port of the mail server', 'SMTP 端口']),
  SMTPAccount: text('', ['mail', 'account at the mail server', 'SMTP 账户'], 255),
  SMTPFrom: text('', ['mail', 'sender address; empty: the account', '发件人地址，留空则使用账户'], 255),
  SMTPToken: secret(['mail', 'password at the mail server', 'SMTP 密码或授权码']),
  SMTPSSLEnabled: flag(false, ['mail', 'TLS from the first byte', '启用 SMTP SSL']),
};
