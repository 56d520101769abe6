/** One entry per error: HTTP status, the relay's wire code where it has one of its own, and the text in both languages. */
interface CatalogEntry {
  status: number;
  wire?: string;
  en: string;
  zh: string;
  hint?: { en: string; zh: string };
}

export const catalog = {
  'internal.error': {
    status: 500,
    wire: 'internal_error',
    en: 'Internal error. The server log has the details under this request id.',
    zh: '服务器内部错误，请凭请求编号联系管理员。',
  },
  'input.invalid': {
    status: 400,
    wire: 'invalid_request',
    en: 'Invalid input: {reason}',
    zh: '输入无效：{reason}',
  },
  'object.notFound': {
    status: 404,
    en: '{what} {id} not found',
    zh: '未找到{what} {id}',
    hint: {
      en: 'see the list with: tollgate {noun} list',
      zh: '查看列表：tollgate {noun} list',
    },
  },
  'object.nameTaken': {
    status: 409,
    en: 'a {what} named "{name}" already exists',
    zh: '{what}“{name}”已存在',
  },
  'permission.denied': {
    status: 403,
    en: 'you are not allowed to do this',
    zh: '无权进行此操作',
  },
  'route.notFound': {
    status: 404,
    wire: 'not_found',
    en: 'There is no {method} {path}.',
    zh: '接口不存在：{method} {path}',
  },
  'route.notOffered': {
    status: 501,
    wire: 'api_not_implemented',
    en: 'API not implemented',
    zh: '该接口未实现',
  },
  'config.invalid': {
    status: 500,
    en: '{name} is "{value}", allowed: {allowed}',
    zh: '{name} 的值“{value}”无效，允许：{allowed}',
  },
  'config.workersNeedPostgres': {
    status: 500,
    en: 'several workers need PostgreSQL: SQLite has one writer',
    zh: '多个工作进程需要 PostgreSQL：SQLite 只允许一个写入者',
    hint: {
      en: 'set SQL_DSN=postgres://..., or leave --workers out',
      zh: '请设置 SQL_DSN=postgres://...，或去掉 --workers',
    },
  },
  'config.databaseKind': {
    status: 500,
    en: 'SQL_DSN must begin with postgres://; MySQL is not supported',
    zh: 'SQL_DSN 必须以 postgres:// 开头；不支持 MySQL',
    hint: {
      en: 'leave SQL_DSN out to use SQLite',
      zh: '不设置 SQL_DSN 即使用 SQLite',
    },
  },
  'database.unreachable': {
    status: 503,
    wire: 'database_unavailable',
    en: 'The database cannot be reached: {reason}',
    zh: '无法连接数据库：{reason}',
  },
  'database.tooNew': {
    status: 500,
    en: 'the database was written by a newer version ({version}); install that version or a later one',
    zh: '数据库由更新的版本（{version}）写入，请安装该版本或更高版本',
  },
  'database.damaged': {
    status: 500,
    en: 'the database file {file} is damaged: {reason}',
    zh: '数据库文件 {file} 已损坏：{reason}',
    hint: {
      en: 'restore a copy with: tollgate db restore <file>, or move the file away',
      zh: '用 tollgate db restore <文件> 恢复备份，或移走该文件',
    },
  },
  'model.unpriced': {
    status: 400,
    wire: 'model_price_error',
    en: 'The model {model} has no price: the options ModelRatio and ModelPrice have no entry for it.',
    zh: '模型 {model} 未定价：ModelRatio 与 ModelPrice 中均无此模型。',
    hint: {
      en: 'an administrator can price it with: tollgate pricing set',
      zh: '管理员可用 tollgate pricing set 定价',
    },
  },
  'price.overflow': {
    status: 400,
    wire: 'price_overflow',
    en: 'The price of this call is not a whole number of quota from 0 to 9007199254740991.',
    zh: '本次调用的价格超出 0 到 9007199254740991 的整数额度范围。',
  },
  'price.invalidRatio': {
    status: 400,
    en: '{option}: {entry} is {value}, allowed: a number from 0 to 1000000',
    zh: '{option}：{entry} 的值为 {value}，允许 0 到 1000000 之间的数字',
  },
  'secret.unreadable': {
    status: 500,
    en: 'the stored secret {place} cannot be decrypted: it was written with another CRYPTO_SECRET or master.key',
    zh: '已保存的密钥 {place} 无法解密：写入时使用的是另一个 CRYPTO_SECRET 或 master.key',
    hint: {
      en: 'put the former secret behind the current one: CRYPTO_SECRET=current,former',
      zh: '把旧密钥放在当前密钥之后：CRYPTO_SECRET=当前,旧',
    },
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
      en: 'add it with: tollgate option set GroupRatio',
      zh: '用 tollgate option set GroupRatio 添加',
    },
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
  'channel.baseUrlNeeded': {
    status: 400,
    en: 'channels of type {type} need a base URL',
    zh: '类型为 {type} 的渠道必须填写 base_url',
  },
  'channel.keyNeeded': {
    status: 400,
    en: 'the key stays with its destination: send the key again when type, host of the base URL or proxy changes',
    zh: '密钥只属于原目标：更改类型、base_url 的主机或代理时须重新填写密钥',
    hint: {
      en: 'root may keep the stored key by confirming it explicitly',
      zh: '超级管理员可以明确确认保留原密钥',
    },
  },
  'option.unknown': {
    status: 400,
    en: 'there is no option {key}',
    zh: '没有选项 {key}',
    hint: {
      en: 'see the list with: tollgate option list',
      zh: '查看列表：tollgate option list',
    },
  },
  'option.needsOther': {
    status: 400,
    en: 'set {needed} before switching {key} on',
    zh: '请先设置 {needed}，再启用 {key}',
  },
  'option.secretNeeded': {
    status: 400,
    en: '{secret} stays with its destination: send it again together with {key}, or confirm to keep it',
    zh: '{secret} 只属于原目标：请与 {key} 一起重新填写，或确认保留',
  },
  'log.beforeInvalid': {
    status: 400,
    en: 'the time before which logs are deleted must lie in the past',
    zh: '日志清除时间必须是过去的时间',
  },
  'session.missing': {
    status: 401,
    en: 'not signed in, or the sign-in has expired',
    zh: '未登录或登录已过期，请重新登录',
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
  'session.tooManyTries': {
    status: 429,
    en: 'too many wrong passwords; try again in {seconds} s',
    zh: '密码错误次数过多，请在 {seconds} 秒后再试',
  },
  'session.passwordLoginOff': {
    status: 403,
    en: 'signing in with a password is switched off',
    zh: '管理员已关闭密码登录',
  },
  'outbound.refused': {
    status: 400,
    en: '{address} may not be called ({reason})',
    zh: '不允许访问 {address}（{reason}）',
    hint: {
      en: 'root may save a private address, or its host can be listed in UPSTREAM_PRIVATE',
      zh: '可由 root 保存私有地址，或将其主机加入 UPSTREAM_PRIVATE',
    },
  },
  'outbound.unreachable': {
    status: 502,
    en: '{address} did not answer: {reason}',
    zh: '{address} 没有响应：{reason}',
  },
  'body.empty': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request has no body; send the parameters in it.',
    zh: '请求体为空，请在请求体中提供参数。',
  },
  'body.notJson': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body is not a valid JSON object: {reason}.',
    zh: '请求体不是有效的 JSON 对象：{reason}。',
  },
  'body.duplicateKey': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body has "{key}" more than once; send it once.',
    zh: '请求体中“{key}”重复出现，请只提供一次。',
  },
  'body.forbiddenKey': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body may not have "{key}"; leave it out, or spell it in lower case if a documented parameter is meant.',
    zh: '请求体中不允许出现“{key}”，请删除；若指文档中的参数，请使用小写。',
  },
  'body.tooDeep': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body is nested more than {limit} levels deep; send a flatter one.',
    zh: '请求体嵌套超过 {limit} 层，请减少层数。',
  },
  'body.tooMany': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body has more than {limit} {what}; send fewer.',
    zh: '请求体中的 {what} 超过 {limit} 个，请减少数量。',
  },
  'body.valueTooLarge': {
    status: 400,
    wire: 'invalid_request',
    en: '"{key}" is longer than {limit} bytes; send a shorter value.',
    zh: '“{key}”超过 {limit} 字节，请缩短。',
  },
  'body.tooLarge': {
    status: 413,
    wire: 'request_too_large',
    en: 'The request body is larger than {limit}; send less at a time.',
    zh: '请求体超过 {limit}，请减小请求。',
  },
  'body.ratio': {
    status: 413,
    wire: 'request_too_large',
    en: 'The request body grows to more than {limit} times its compressed size; send it uncompressed.',
    zh: '请求体解压后超过压缩大小的 {limit} 倍，请以未压缩形式发送。',
  },
  'body.contentType': {
    status: 415,
    wire: 'unsupported_media_type',
    en: 'The Content-Type of this request must be {expected}.',
    zh: '该请求的 Content-Type 必须是 {expected}。',
  },
  'body.encoding': {
    status: 415,
    wire: 'unsupported_media_type',
    en: 'The Content-Encoding "{encoding}" is not understood; send one of gzip, br, deflate, or none.',
    zh: '不支持的 Content-Encoding“{encoding}”，请使用 gzip、br、deflate 之一，或不压缩。',
  },
  'body.decode': {
    status: 400,
    wire: 'invalid_request',
    en: 'The request body cannot be decompressed; check that it matches its Content-Encoding.',
    zh: '请求体无法解压，请检查其是否与 Content-Encoding 一致。',
  },
  'body.incomplete': {
    status: 400,
    wire: 'invalid_request',
    en: 'The connection ended after {received} bytes, before the whole request body arrived; send it again.',
    zh: '请求体未完整到达（已收到 {received} 字节）连接即中断，请重新发送。',
  },
  'body.timeout': {
    status: 408,
    wire: 'request_timeout',
    en: 'The request body did not arrive in time ({received} bytes came); send it again, and check its Content-Length.',
    zh: '请求体未在规定时间内到达（已收到 {received} 字节），请重新发送并检查 Content-Length。',
  },
  'body.spoolFailed': {
    status: 503,
    wire: 'temporarily_unavailable',
    en: 'Large request bodies cannot be taken at the moment; try again later, or send less than 1 MiB.',
    zh: '暂时无法接收较大的请求体，请稍后再试，或将请求控制在 1 MiB 以内。',
  },
  'body.multipart': {
    status: 400,
    wire: 'invalid_request',
    en: 'The form cannot be read: {reason}.',
    zh: '表单无法解析：{reason}。',
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
  'relay.noChannel': {
    status: 503,
    wire: 'no_available_channel',
    en: 'No channel is available for the model {model} in the group {group}.',
    zh: '当前分组 {group} 下模型 {model} 没有可用渠道。',
  },
  'relay.unknownModel': {
    status: 404,
    wire: 'model_not_found',
    en: 'No channel serves the model {model} in the group {group}.{near}',
    zh: '分组 {group} 下没有渠道提供模型 {model}。{near}',
  },
  'relay.sensitive': {
    status: 400,
    wire: 'sensitive_words_detected',
    en: 'The request contains words that this service does not accept.',
    zh: '请求包含敏感词，已被拒绝。',
  },
  'relay.quotaUsedUp': {
    status: 403,
    wire: 'insufficient_user_quota',
    en: 'The quota is used up; the answer ends here. Top up, or raise the quota of the token.',
    zh: '额度已用尽，回答到此为止，请充值或提高令牌额度。',
  },
  'relay.draining': {
    status: 503,
    wire: 'server_draining',
    en: 'This server is stopping. Send the request again.',
    zh: '服务器正在停止，请重新发送请求。',
  },
  'quota.userInsufficient': {
    status: 403,
    wire: 'insufficient_user_quota',
    en: 'The balance is not enough for this call: it needs {needed}, {left} is left. Top up, or set a smaller max_tokens.',
    zh: '余额不足：本次调用需要 {needed}，剩余 {left}，请充值或减小 max_tokens。',
  },
  'quota.tokenInsufficient': {
    status: 403,
    wire: 'pre_consume_token_quota_failed',
    en: 'The token "{name}" has not enough quota for this call: it needs {needed}, {left} is left. Ask its owner to raise it, or set a smaller max_tokens.',
    zh: '令牌“{name}”额度不足：本次调用需要 {needed}，剩余 {left}，请提高令牌额度或减小 max_tokens。',
  },
  'playground.keyRefused': {
    status: 400,
    wire: 'access_token_not_supported',
    en: 'The playground needs a signed-in session, not an access token.',
    zh: '操练场仅支持登录会话，不支持访问令牌。',
  },
  'request.fieldMissing': {
    status: 400,
    wire: 'invalid_request',
    en: 'You must provide {field}.',
    zh: '缺少必填字段 {field}。',
  },
  'request.fieldEmpty': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} must not be empty.',
    zh: '{field} 不能为空。',
  },
  'request.notText': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} must be a string.',
    zh: '{field} 必须是字符串。',
  },
  'request.notTextOrList': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} must be a string or an array.',
    zh: '{field} 必须是字符串或数组。',
  },
  'request.notBoolean': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} must be true or false.',
    zh: '{field} 必须是 true 或 false。',
  },
  'request.notObject': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} must be an object.',
    zh: '{field} 必须是对象。',
  },
  'request.notList': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} must be an array.',
    zh: '{field} 必须是数组。',
  },
  'request.notInteger': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} must be a whole number from {minimum} to {maximum}.',
    zh: '{field} 必须是 {minimum} 到 {maximum} 之间的整数。',
  },
  'request.notNumber': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} must be a number from {minimum} to {maximum}.',
    zh: '{field} 必须是 {minimum} 到 {maximum} 之间的数字。',
  },
  'request.notOneOf': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} must be one of: {allowed}.',
    zh: '{field} 只能是以下之一：{allowed}。',
  },
  'request.tooLong': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} may have at most {maximum} characters.',
    zh: '{field} 最多 {maximum} 个字符。',
  },
  'request.tooMany': {
    status: 400,
    wire: 'invalid_request',
    en: '{field} may have at most {maximum} elements.',
    zh: '{field} 最多 {maximum} 个元素。',
  },
  'request.modelName': {
    status: 400,
    wire: 'invalid_request',
    en: 'model is not a model name: control characters, "." and ".." are refused.',
    zh: 'model 不是有效的模型名称：不能含控制字符，也不能是“.”或“..”。',
  },
  'model.notFound': {
    status: 404,
    wire: 'model_not_found',
    en: "The model '{model}' does not exist",
    zh: '模型“{model}”不存在',
  },
  'upstream.saturated': {
    status: 429,
    wire: 'upstream_saturated',
    en: 'The upstream load of this group is saturated. Please try again later.',
    zh: '当前分组上游负载已饱和，请稍后再试。',
  },
  'provider.notOffered': {
    status: 400,
    wire: 'invalid_request',
    en: '{provider} does not offer {path}.',
    zh: '{provider} 不支持 {path}。',
  },
  'provider.wrongEndpoint': {
    status: 400,
    wire: 'invalid_request',
    en: 'The address of this channel serves {served}, not {path}.',
    zh: '该渠道的地址提供 {served}，而不是 {path}。',
  },
  'provider.fieldNeeded': {
    status: 503,
    wire: 'channel_incomplete',
    en: 'This channel cannot be used before its field {field} is set.',
    zh: '该渠道缺少字段 {field}，设置后才能使用。',
  },
  'option.notBoolean': {
    status: 400,
    en: '{key} was not changed: it takes true or false',
    zh: '{key} 未更改：只能为 true 或 false',
  },
  'option.notNumber': {
    status: 400,
    en: '{key} was not changed: it takes a number from {least} to {most}',
    zh: '{key} 未更改：须为 {least} 到 {most} 的数字',
  },
  'option.notChoice': {
    status: 400,
    en: '{key} was not changed: it takes one of {allowed}',
    zh: '{key} 未更改：只能为 {allowed} 之一',
  },
  'option.notJson': {
    status: 400,
    en: '{key} was not changed: the value is not JSON of the form {form}',
    zh: '{key} 未更改：不是合法的 JSON 字符串，应为 {form}',
  },
  'option.badEntry': {
    status: 400,
    en: '{key} was not changed: the entry {entry} is not {form}',
    zh: '{key} 未更改：条目 {entry} 无效，应为 {form}',
  },
  'option.badLink': {
    status: 400,
    en: '{key} was not changed: it takes {form}',
    zh: '{key} 未更改：地址无效，应为 {form}',
  },
  'option.tooLong': {
    status: 400,
    en: '{key} was not changed: it takes at most {most} characters',
    zh: '{key} 未更改：最多 {most} 个字符',
  },
  'relay.clientGone': {
    status: 499,
    wire: 'client_closed_request',
    en: 'The client closed the connection.',
    zh: '客户端已断开连接。',
  },
  'provider.fieldNotOffered': {
    status: 400,
    wire: 'invalid_request',
    en: '{provider} does not offer {field}.',
    zh: '{provider} 不支持 {field}。',
  },
  'provider.badAnswer': {
    status: 502,
    wire: 'bad_upstream_answer',
    en: 'The answer of the upstream has no {what}.',
    zh: '上游返回的内容缺少 {what}。',
  },

  'ledger.busy': {
    status: 503,
    wire: 'server_busy',
    en: 'The server is busy. Send the request again in a moment.',
    zh: '服务器繁忙，请稍后重试。',
  },
  'ledger.unavailable': {
    status: 503,
    wire: 'database_unavailable',
    en: 'The ledger cannot be reached right now, so no call can be billed. Send the request again in a moment.',
    zh: '账本暂时不可用，无法计费，请稍后重试。',
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
  'provider.unknown': {
    status: 503,
    wire: 'channel_type_unknown',
    en: 'The channel is of type {type}, which this version does not serve.',
    zh: '此版本不支持渠道类型 {type}。',
  },
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof catalog;
