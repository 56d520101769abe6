import type { CatalogEntry } from './entry.ts';

export const accountErrors = {
  'permission.denied': {
    status: 403,
    en: 'you are not allowed to do this',
    zh: '无权进行此操作',
  },
  'password.busy': {
    status: 429,
    en: 'too many sign-ins at this moment; try again in a few seconds',
    zh: '当前登录人数过多，请几秒后再试',
  },
  'password.weak': {
    status: 400,
    en: 'the password is too easy to guess; choose another one',
    zh: '密码过于简单，请换一个',
  },
  'user.wrongRank': {
    status: 403,
    en: 'you may not act on users of your own or a higher role',
    zh: '无权操作同级或更高级别的用户',
  },
  'user.rootProtected': {
    status: 403,
    en: 'a root user cannot be disabled, deleted or demoted',
    zh: '超级管理员不能被禁用、删除或降级',
  },
  'user.promoteDenied': {
    status: 403,
    en: 'only root can promote users to admin',
    zh: '只有超级管理员可以提升管理员',
  },
  'user.alreadyAdmin': {
    status: 409,
    en: 'this user is an admin already',
    zh: '该用户已经是管理员',
  },
  'user.notAdmin': {
    status: 409,
    en: 'this user is a normal user already',
    zh: '该用户已经是普通用户',
  },
  'group.unknown': {
    status: 400,
    en: 'there is no group "{group}" in the option GroupRatio',
    zh: '选项 GroupRatio 中没有分组“{group}”',
    hint: {
      en: 'add it with: tollgate group set <name>',
      zh: '用 tollgate group set <分组> 添加',
    },
  },
  'group.usual': {
    status: 409,
    en: 'the group {group} is that of everybody who has no other; it cannot be removed',
    zh: '分组 {group} 是未设置分组的用户所用的分组，不能删除',
  },
  'group.inUse': {
    status: 409,
    en: 'the group {group} is used by {users} users, {tokens} tokens and {channels} channels',
    zh: '分组 {group} 正被 {users} 个用户、{tokens} 个令牌和 {channels} 个渠道使用',
  },
  'group.descriptionUnused': {
    status: 400,
    en: 'a description is shown to those who may choose the group {group}: open it to them as well',
    zh: '描述仅对可选择分组 {group} 的用户显示，请同时将其设为可选',
  },
  'group.notUsable': {
    status: 403,
    wire: 'group_not_allowed',
    en: 'the group "{group}" may not be used by this user',
    zh: '该用户不能使用分组“{group}”',
    hint: {
      en: "usable groups are those of the option UserUsableGroups and the user's own",
      zh: '可用分组为选项 UserUsableGroups 中的分组以及用户自己的分组',
    },
  },
  'token.stillExpired': {
    status: 409,
    en: 'the token has expired; change its expiry or set it to never first',
    zh: '令牌已过期，请先修改过期时间或设为永不过期',
  },
  'token.stillExhausted': {
    status: 409,
    en: "the token's quota is used up; raise it or set it to unlimited first",
    zh: '令牌额度已用尽，请先增加额度或设为无限额度',
  },
  'token.keyTaken': {
    status: 409,
    en: 'a token with this key exists already',
    zh: '已存在使用该密钥的令牌',
  },
  'token.keyForm': {
    status: 400,
    en: 'a token key has 16 to 128 letters and digits, with or without sk- in front',
    zh: '令牌密钥须为 16 至 128 位字母和数字，可带 sk- 前缀',
  },
  'session.missing': {
    status: 401,
    en: 'not signed in, or the sign-in has expired',
    zh: '未登录或登录已过期，请重新登录！',
  },
  'session.userMismatch': {
    status: 401,
    en: 'the New-Api-User header does not name the signed-in user',
    zh: 'New-Api-User 请求头与登录用户不一致',
  },
  'session.wrongCredentials': {
    status: 400,
    en: 'wrong user name or password, or the account is disabled',
    zh: '用户名或密码错误，或用户已被封禁',
  },
  'session.wrongPassword': {
    status: 400,
    en: 'this is not your password; enter the one you sign in with',
    zh: '密码错误，请输入当前登录账号的密码',
  },
  'session.tooManyTries': {
    status: 429,
    en: 'too many wrong passwords; try again in {seconds} s',
    zh: '密码错误次数过多，请在 {seconds} 秒后再试',
  },
  'twoFactor.needed': {
    status: 401,
    en: 'a code of your authenticator app is needed to sign in',
    zh: '请输入两步验证码',
  },
  'twoFactor.expired': {
    status: 400,
    en: 'the sign-in has expired; enter user name and password again',
    zh: '登录已过期，请重新输入用户名和密码',
  },
  'twoFactor.wrongCode': {
    status: 400,
    en: 'wrong code, or one that was used before; wait for the next one of the app, or use a backup code',
    zh: '验证码错误或已被使用，请等待下一个验证码，或使用备用码',
  },
  'twoFactor.locked': {
    status: 403,
    en: 'too many wrong codes for this account; set a new password by e-mail, or ask an administrator to switch two-factor sign-in off',
    zh: '该账户验证码错误次数过多，请通过邮箱重置密码，或联系管理员关闭两步验证',
  },
  'twoFactor.alreadyOn': {
    status: 409,
    en: 'two-factor sign-in is on already; switch it off first to set it up anew',
    zh: '两步验证已启用，如需重新设置请先关闭',
  },
  'twoFactor.notSetUp': {
    status: 409,
    en: 'two-factor sign-in is not set up yet; begin with a new secret',
    zh: '尚未设置两步验证，请先获取密钥',
  },
  'twoFactor.notOn': {
    status: 409,
    en: 'two-factor sign-in is not on for this account',
    zh: '该账户未启用两步验证',
  },
  'session.oldPasswordNeeded': {
    status: 400,
    en: 'enter your current password as well; programs send it as original_password',
    zh: '请同时提供当前密码；程序请通过 original_password 字段发送',
  },
  'session.tokenPasswordNeeded': {
    status: 400,
    en: 'an access token asks for your password: make it in Settings > Personal of this console, or send {"password": "..."} with POST /api/user/token',
    zh: '生成系统访问令牌需要验证密码：请在本控制台的“设置 > 个人设置”中生成，或使用 POST /api/user/token 并发送 {"password": "..."}',
  },
  'session.emailPasswordNeeded': {
    status: 400,
    en: 'a new e-mail address asks for your password: bind it in Settings > Personal of this console, or send {"email": "...", "code": "...", "password": "..."} with POST /api/oauth/email/bind',
    zh: '绑定邮箱需要验证密码：请在本控制台的“设置 > 个人设置”中绑定，或使用 POST /api/oauth/email/bind 并发送 {"email": "...", "code": "...", "password": "..."}',
  },
  'session.confirmNeeded': {
    status: 403,
    en: 'linking another sign-in asks for your password: link it in Settings > Personal of this console, or send {"password": "..."} with POST /api/user/confirm first',
    zh: '绑定其他登录方式需要验证密码：请在本控制台的“设置 > 个人设置”中绑定，或先使用 POST /api/user/confirm 并发送 {"password": "..."}',
  },
  'session.freshNeeded': {
    status: 403,
    en: 'this account has no password: sign out, sign in again and repeat this within 10 minutes',
    zh: '该账户没有密码：请退出后重新登录，并在 10 分钟内再试',
  },
  'session.locked': {
    status: 403,
    en: 'too many wrong passwords for this account; reset the password by e-mail, or ask an administrator to set a new one',
    zh: '该账户密码错误次数过多，请通过邮箱重置密码，或联系管理员设置新密码',
  },
  'session.passwordLoginOff': {
    status: 403,
    en: 'signing in with a password is switched off',
    zh: '管理员已关闭密码登录',
  },
  'token.missing': {
    status: 401,
    wire: 'invalid_api_key',
    en: 'No API key was sent. Send it as: Authorization: Bearer sk-…',
    zh: '未提供令牌，请使用 Authorization: Bearer sk-… 发送。',
  },
  'token.twoKeys': {
    status: 401,
    wire: 'invalid_api_key',
    en: 'Two different API keys were sent. Send one, by one header.',
    zh: '收到两个不同的令牌，请只用一个请求头发送一个令牌。',
  },
  'token.unknown': {
    status: 401,
    wire: 'invalid_api_key',
    en: 'The API key {key} is not valid. Check it for typing errors, or create a new one.',
    zh: '无效的令牌 {key}，请检查或重新创建。',
  },
  'token.disabled': {
    status: 401,
    wire: 'invalid_api_key',
    en: 'The token "{name}" is disabled. Its owner can enable it.',
    zh: '令牌“{name}”已被禁用。',
  },
  'token.expired': {
    status: 401,
    wire: 'invalid_api_key',
    en: 'The token "{name}" has expired. Its owner can extend it.',
    zh: '令牌“{name}”已过期。',
  },
  'token.exhausted': {
    status: 401,
    wire: 'token_quota_exhausted',
    en: 'The token "{name}" ({key}) has no quota left (used {used}). Ask the owner to raise it.',
    zh: '令牌“{name}”（{key}）额度已用尽（已用 {used}），请联系所有者提高额度。',
  },
  'token.addressRefused': {
    status: 403,
    wire: 'ip_not_allowed',
    en: 'The token "{name}" may not be used from {address}.',
    zh: '令牌“{name}”不允许从 {address} 使用。',
  },
  'token.modelRefused': {
    status: 403,
    wire: 'model_not_allowed',
    en: 'The token "{name}" may not use the model {model}. Allowed: {allowed}',
    zh: '令牌“{name}”无权使用模型 {model}，可用模型：{allowed}',
  },
  'token.pinRefused': {
    status: 403,
    wire: 'channel_pin_not_allowed',
    en: 'Only administrators can name a channel in the key.',
    zh: '普通用户不能指定渠道。',
  },
  'token.pinUnknown': {
    status: 400,
    wire: 'invalid_channel',
    en: 'The channel named in the key does not exist.',
    zh: '无效的渠道编号。',
  },
  'token.pinDisabled': {
    status: 403,
    wire: 'channel_disabled',
    en: 'The channel named in the key is disabled.',
    zh: '该渠道已被禁用。',
  },
  'user.banned': {
    status: 403,
    wire: 'user_banned',
    en: 'The account of this token is disabled. Contact the administrator.',
    zh: '用户已被封禁，请联系管理员。',
  },
  'group.noRatio': {
    status: 403,
    wire: 'group_not_allowed',
    en: 'The group "{group}" has no ratio; an administrator sets it in the option GroupRatio.',
    zh: '分组“{group}”没有倍率，请管理员在 GroupRatio 中设置。',
  },
  'user.quotaRange': {
    status: 400,
    en: 'the balance would leave the range of exact whole numbers',
    zh: '额度超出允许范围',
  },
  'token.quotaNegative': {
    status: 400,
    en: 'the quota of a token cannot be negative',
    zh: '令牌额度不能为负数',
  },
  'session.banned': {
    status: 401,
    en: 'this account is disabled',
    zh: '用户已被封禁',
  },
  'session.foreignPage': {
    status: 403,
    en: 'This call must come from the console itself.',
    zh: '该请求必须来自控制台页面。',
  },
  'account.lookAlike': {
    status: 409,
    en: 'The name "{name}" looks like the name of another account; choose one that cannot be mistaken for it.',
    zh: '用户名“{name}”与其他账户的用户名看起来相同，请另选一个。',
  },
  'account.registerOff': {
    status: 403,
    en: 'registration is switched off by the administrator',
    zh: '管理员关闭了新用户注册',
  },
  'account.outsideTaken': {
    status: 409,
    en: 'this outside account is bound to another user already',
    zh: '该外部账户已被绑定',
  },
  'email.taken': {
    status: 409,
    en: 'this e-mail address is used by another account',
    zh: '邮箱地址已被占用',
  },
  'human.failed': {
    status: 400,
    en: 'the human check failed or is still running; try again in a few seconds',
    zh: '人机验证失败或仍在进行，请稍后几秒重试',
  },
  'account.passwordRegisterOff': {
    status: 403,
    en: 'registering with a password is switched off by the administrator; use another way to sign in',
    zh: '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
  },
  'email.needed': {
    status: 400,
    en: 'registration needs an e-mail address and the verification code sent to it',
    zh: '管理员开启了邮箱验证，请输入邮箱地址和验证码',
  },
  'email.domainRefused': {
    status: 400,
    en: 'the administrator allows addresses of certain mail domains only, and this is none of them',
    zh: '管理员启用了邮箱域名白名单，该邮箱域名不在白名单中',
  },
  'email.aliasRefused': {
    status: 400,
    en: 'the administrator allows no addresses with + or . in front of the @',
    zh: '管理员已启用邮箱地址别名限制，@ 之前不能包含 + 或 .',
  },
  'code.invalid': {
    status: 400,
    en: 'the verification code is wrong or has expired; ask for a new one',
    zh: '验证码错误或已过期，请重新获取',
  },
  'code.resetInvalid': {
    status: 400,
    en: 'the reset link is not valid or has expired; ask for a new one',
    zh: '重置链接非法或已过期，请重新获取',
  },
  'code.tooMany': {
    status: 429,
    en: 'too many mails for this address; try again in {seconds} s',
    zh: '发送邮件过于频繁，请在 {seconds} 秒后再试',
  },
  'mail.notConfigured': {
    status: 400,
    en: 'the administrator has not set up a mail server, so no mail can be sent',
    zh: '管理员未配置 SMTP 服务器，无法发送邮件',
  },
  'mail.refused': {
    status: 400,
    en: 'the mail server did not take the mail ({reason}): check server, port, account and password',
    zh: '邮件服务器未接受邮件（{reason}）：请检查服务器、端口、账户和密码',
  },
  'mail.queueFull': {
    status: 503,
    en: 'too many mails are waiting to be sent; try again in a minute',
    zh: '待发送邮件过多，请一分钟后再试',
  },
  'user.changed': {
    status: 409,
    en: 'this user was changed by somebody else at this moment; load the page again and retry',
    zh: '该用户刚刚被修改，请刷新后重试',
  },
  'user.webhookSecretNeeded': {
    status: 400,
    en: 'the webhook has a new address: enter its secret again',
    zh: 'Webhook 地址已更改，请重新填写密钥',
  },
} as const satisfies Record<string, CatalogEntry>;
