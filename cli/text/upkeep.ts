/** Copies of the database, another database taken over, new keys for secrets, and what the doctor mends. */
export const upkeepText = {
  'help.dbBackup': {
    en: 'copy the database while the server runs; the copy is for its owner alone',
    zh: '在服务运行时备份数据库；备份仅本人可读',
  },
  'flag.migrateNew': {
    en: 'make a new, empty database although files of a former one are here; its log is put aside',
    zh: '即使存在旧数据库的文件，也创建新的空数据库；旧日志文件会移到一旁',
  },
  'restore.noSum': {
    en: 'no checksum lies beside {file}: nothing says that it is what was copied once; its pages, schema and books were checked',
    zh: '{file} 旁没有校验和，无法确认它与当初的备份一致；已检查其数据页、结构与账目',
  },
  'check.schemaForeign': {
    en: 'parts that Tollgate did not make, or that are missing: {names}',
    zh: '存在并非由 Tollgate 创建或缺失的部分：{names}',
  },
  'check.schemaUnknown': {
    en: '{count} migrations ran; what they made could not be compared: {reason}. Allow it with: GRANT CREATE ON DATABASE <database> TO <role>',
    zh: '已执行 {count} 个迁移，但无法核对其结果：{reason}。请授权：GRANT CREATE ON DATABASE <数据库> TO <角色>',
  },
  'help.dbRestore': {
    en: 'put a copy back while no server runs; the present database is kept beside it',
    zh: '在服务停止时恢复备份；当前数据库会保留在旁边',
  },
  'help.dbCheck': {
    en: 'read the whole database: file, schema, ledger and abilities; nothing is changed',
    zh: '检查整个数据库：文件、结构、账目与可用模型；不作更改',
  },
  'flag.backupFile': { en: 'where the copy goes', zh: '备份文件的位置' },
  'flag.backupForce': { en: 'replace a file of that name', zh: '覆盖同名文件' },
  'flag.backupKey': {
    en: 'copy master.key beside it too, for its owner alone',
    zh: '同时将 master.key 复制到旁边，仅本人可读',
  },
  'flag.restoreFile': { en: 'a copy made by db backup', zh: '由 db backup 生成的备份' },
  'flag.restoreForce': { en: 'also when its ledger does not add up', zh: '账目不平时也恢复' },
  'backup.done': {
    en: '{file}: {size} at schema {schema}, SHA-256 {sha256}',
    zh: '{file}：{size}，数据库结构 {schema}，SHA-256 {sha256}',
  },
  'backup.keyNeeded': {
    en: 'its secrets are encrypted and master.key is NOT in it: keep a copy of {key} in another place, or they are lost',
    zh: '备份中的密钥已加密，且不含 master.key：请将 {key} 另外妥善保存，否则密钥将无法恢复',
  },
  'backup.secretNeeded': {
    en: 'its secrets are encrypted and CRYPTO_SECRET is NOT in it: keep it in another place, or they are lost',
    zh: '备份中的密钥已加密，且不含 CRYPTO_SECRET：请另外妥善保存，否则密钥将无法恢复',
  },
  'backup.keyBeside': {
    en: 'the key is beside it: {key}. Whoever has both files has every secret',
    zh: '密钥文件在旁边：{key}。同时拥有两个文件者可读取全部密钥',
  },
  'restore.confirm': {
    en: 'Replace {database} with {file} (schema {schema}, {users} users, {tokens} tokens)?',
    zh: '用 {file}（结构 {schema}，{users} 个用户，{tokens} 个令牌）替换 {database}？',
  },
  'restore.done': {
    en: '{database} is the copy now; the former one is {former}',
    zh: '{database} 已恢复；原数据库保存在 {former}',
  },
  'restore.doneNew': { en: '{database} is the copy now', zh: '{database} 已恢复' },
  'check.file': { en: 'the file is sound', zh: '文件完好' },
  'check.fileDamaged': {
    en: 'the file is damaged: {reason}. Put a copy back with: tollgate db restore <file>',
    zh: '文件已损坏：{reason}。请恢复备份：tollgate db restore <文件>',
  },
  'check.schema': { en: 'schema up to date ({count} migrations)', zh: '数据库结构为最新（{count} 个迁移）' },
  'check.schemaWaits': {
    en: '{count} migrations wait. Run: tollgate db migrate',
    zh: '有 {count} 个迁移待执行。请运行：tollgate db migrate',
  },
  'check.ledger': {
    en: 'the ledger adds up ({users} users, {tokens} tokens, {channels} channels, {hours} hourly sums)',
    zh: '账目正确（{users} 个用户，{tokens} 个令牌，{channels} 个渠道，{hours} 项每小时汇总）',
  },
  'check.ledgerWrong': {
    en: '{count} balances or sums are off. See which with: tollgate ledger verify',
    zh: '有 {count} 处余额或汇总不符。请查看：tollgate ledger verify',
  },
  'check.abilities': { en: 'every channel serves the models it names', zh: '渠道的可用模型均正确' },
  'check.abilitiesWrong': {
    en: 'the abilities of {count} channels are not those of the channel. Run: tollgate channel fix',
    zh: '有 {count} 个渠道的可用模型与设置不符。请运行：tollgate channel fix',
  },
  'check.tokens': { en: 'every token belongs to a user', zh: '令牌均有所属用户' },
  'check.tokensStray': {
    en: 'tokens of users that are not there: {ids}. Remove them with: tollgate token remove {ids}',
    zh: '以下令牌的用户不存在：{ids}。请删除：tollgate token remove {ids}',
  },
  'check.secrets': { en: 'every channel key can be decrypted', zh: '渠道密钥均可解密' },
  'check.secretsClosed': {
    en: '{count} channel keys were written with another key. Put its master.key back, or set CRYPTO_SECRET=current,former',
    zh: '有 {count} 个渠道密钥由其他密钥加密。请放回对应的 master.key，或设置 CRYPTO_SECRET=当前,旧',
  },
  'help.dbImport': {
    en: 'take over a one-api or new-api database: users, channels, tokens, settings, codes, orders, charts',
    zh: '导入 one-api 或 new-api 的数据库：用户、渠道、令牌、设置、兑换码、订单与统计',
  },
  'flag.importPlace': {
    en: 'its SQLite file, the address of its PostgreSQL database, or - to read that from standard input',
    zh: 'SQLite 文件、PostgreSQL 地址，或用 - 从标准输入读取',
  },
  'flag.importDryRun': { en: 'do everything, report it, and take it back', zh: '执行全部步骤并报告，但不保存' },
  'flag.importLogs': { en: 'take the log rows too, which may take long', zh: '同时导入日志，可能耗时较长' },
  'flag.importMerge': {
    en: 'also into an installation that holds more than root; who is here keeps name and settings',
    zh: '允许导入到已有数据的安装；已有的名称与设置保持不变',
  },
  'import.confirm': {
    en: 'Take over {users} users and {channels} channels of {kind}?',
    zh: '从 {kind} 导入 {users} 个用户和 {channels} 个渠道？',
  },
  'import.taken': { en: '{count} rows taken over', zh: '已导入 {count} 行' },
  'import.wouldTake': {
    en: 'dry run: {count} rows would be taken over, nothing was changed',
    zh: '试运行：将导入 {count} 行，未作任何更改',
  },
  'import.note': { en: '{table}: {count} {reason}: {names}', zh: '{table}：{count} 项{reason}：{names}' },
  'import.deleted': { en: 'were deleted there, left out', zh: '在原系统中已删除，未导入' },
  'import.nameTaken': {
    en: 'have a name that is taken here, left out; create them under another name',
    zh: '名称在此处已被占用，未导入；请以其他名称创建',
  },
  'import.nameChanged': {
    en: 'got another name, because names are the same whatever their case',
    zh: '因名称不区分大小写而改名',
  },
  'import.outsideTaken': {
    en: 'sign-ins belong to another account already, left out',
    zh: '第三方登录已属于其他账户，未导入',
  },
  'import.noKey': { en: 'have no key, left out', zh: '没有密钥，未导入' },
  'import.keyTaken': { en: 'have a key that somebody else has here, left out', zh: '密钥在此处已属于他人，未导入' },
  'import.severalKeys': {
    en: 'have several keys or a key that cannot be used, left out; add them with: tollgate channel create --key-file',
    zh: '含有多个密钥或密钥无效，未导入；请用 tollgate channel create --key-file 添加',
  },
  'import.typeUnknown': { en: 'are of a vendor that is not offered, left out', zh: '供应商不受支持，未导入' },
  'import.noUser': { en: 'belong to nobody who was taken over, left out', zh: '所属用户未导入，未导入' },
  'import.badAddresses': {
    en: 'had addresses that are none, left off; a token left without any is disabled',
    zh: '含有无效的 IP 地址，已去除；若无剩余地址则令牌被禁用',
  },
  'import.badSetting': { en: 'have a setting that is not valid, left out', zh: '含有无效设置，未导入' },
  'import.codeForm': { en: 'are no codes of 32 hexadecimal digits, left out', zh: '不是 32 位十六进制兑换码，未导入' },
  'import.unpaid': { en: 'were never paid, left out', zh: '从未支付，未导入' },
  'import.optionUnknown': { en: 'are settings that do not exist here, left out', zh: '为此处不存在的设置，未导入' },
  'import.optionInvalid': {
    en: 'have a value that does not fit, left at the default',
    zh: '取值无效，保持默认值',
  },
  'import.optionSet': { en: 'are set here already and stay as they are', zh: '在此处已设置，保持不变' },
  'import.rootLowered': { en: 'were root there and are admin here', zh: '在原系统中为 root，此处为管理员' },
  'help.secret': {
    en: 'rotate: encrypt every stored secret with a new key',
    zh: 'rotate：用新密钥重新加密所有已存的密钥',
  },
  'help.secretRotate': {
    en: 'make a new master key and write every stored secret with it; stop the server first; a run that was stopped goes on when run again',
    zh: '生成新的主密钥并重新加密所有已存密钥；请先停止服务；中断后再次运行可继续',
  },
  'flag.rotateDryRun': { en: 'count what would be written anew', zh: '仅统计将被重新加密的数量' },
  'flag.rotateOnline': {
    en: 'beside running servers: each of them was restarted with CRYPTO_SECRET=new,former',
    zh: '服务运行时进行：所有服务均已用 CRYPTO_SECRET=新,旧 重启',
  },
  'flag.rotateDrop': {
    en: 'take the former keys out of master.key; access tokens and backup codes made under them end',
    zh: '从 master.key 中移除旧密钥；旧密钥下创建的系统访问令牌与备用码将失效',
  },
  'secret.confirm': {
    en: 'Make a new master key and write every stored secret with it?',
    zh: '生成新的主密钥并重新加密所有已存密钥？',
  },
  'secret.rotated': {
    en: '{changed} secrets written with the new key, {current} were already',
    zh: '已用新密钥重新加密 {changed} 项，{current} 项无需更改',
  },
  'secret.wouldRotate': {
    en: 'dry run: {changed} secrets would be written with a new key, {current} are already; nothing was changed',
    zh: '试运行：将重新加密 {changed} 项，{current} 项无需更改；未作任何更改',
  },
  'secret.unreadable': {
    en: '{count} secrets are opened by no known key and stay as they are: {places}. Put their key behind the others in master.key or CRYPTO_SECRET, or set them anew',
    zh: '有 {count} 项无法用已知密钥解密，保持不变：{places}。请将对应密钥加到 master.key 或 CRYPTO_SECRET 末尾，或重新设置',
  },
  'secret.interrupted': {
    en: 'stopped; both keys open everything, run it again to go on',
    zh: '已停止；新旧密钥均可用，再次运行可继续',
  },
  'secret.formerStays': {
    en: 'the former key stays behind the new one: access tokens and two-factor backup codes are stored as its hashes, and older backups need it. Start servers again with the same keys; end it with: tollgate secret rotate --drop-former',
    zh: '旧密钥保留在新密钥之后：系统访问令牌与两步验证备用码以其哈希存储，旧备份也需要它。请用相同密钥重启服务；移除旧密钥：tollgate secret rotate --drop-former',
  },
  'secret.dropConfirm': {
    en: 'Take {count} former keys out of master.key? Access tokens and backup codes made under them end, and older backups can no longer be read',
    zh: '从 master.key 中移除 {count} 个旧密钥？其下创建的系统访问令牌与备用码将失效，旧备份将无法读取',
  },
  'secret.dropped': {
    en: '{count} former keys taken out of master.key',
    zh: '已从 master.key 中移除 {count} 个旧密钥',
  },
  'secret.wouldDrop': {
    en: 'dry run: {count} former keys would be taken out of master.key',
    zh: '试运行：将从 master.key 中移除 {count} 个旧密钥',
  },
  'help.configCheck': {
    en: 'check every setting without making anything; exit 2 when one is wrong',
    zh: '检查每项设置，不创建任何内容；有错误时退出码为 2',
  },
  'config.fine': { en: '{name} = {value} ({source})', zh: '{name} = {value}（{source}）' },
  'config.wrong': { en: '{name}: {reason}', zh: '{name}：{reason}' },
  'config.noEffect': {
    en: '{name} is set, but has no effect here; take it out',
    zh: '{name} 已设置，但在此无效，可移除',
  },
  'config.near': { en: '{name} is not read; did you mean {near}?', zh: '{name} 不会被读取；是否想写 {near}？' },
  'config.unknown': { en: '{name} in .env is not read', zh: '.env 中的 {name} 不会被读取' },
  'config.noAddress': {
    en: '"{value}" is no address or network, such as 10.0.0.0/8',
    zh: '“{value}”不是 IP 地址或网段（例如 10.0.0.0/8）',
  },
  'config.noProxy': {
    en: 'not an address such as http://proxy:3128 or socks5://proxy:1080',
    zh: '不是代理地址，例如 http://proxy:3128 或 socks5://proxy:1080',
  },
  'config.noChannel': {
    en: 'not a channel as JSON with type, key and models: {reason}',
    zh: '不是含 type、key 与 models 的渠道 JSON：{reason}',
  },
  'flag.doctorFix': {
    en: 'mend what the program itself can mend; asks before each',
    zh: '修复程序能够自行修复的问题；逐项询问',
  },
  'mend.folder': { en: 'close {path} to other users', zh: '禁止其他用户访问 {path}' },
  'mend.masterKey': { en: 'close master.key to other users', zh: '禁止其他用户读取 master.key' },
  'mend.binding': {
    en: "run SQLite's own installer, which fetches or builds its native file",
    zh: '运行 SQLite 自带的安装程序，下载或构建原生文件',
  },
  'mend.migrations': { en: 'run the migrations that wait', zh: '执行待执行的迁移' },
  'mend.abilities': { en: 'make the abilities of the channels anew', zh: '重新生成渠道的可用模型' },
  'mend.ask': { en: 'Mend it: {what}?', zh: '是否修复：{what}？' },
  'mend.done': { en: 'mended: {what}', zh: '已修复：{what}' },
  'mend.again': { en: 'run tollgate doctor again to see the rest', zh: '请再次运行 tollgate doctor 检查其余项目' },
  'mend.offer': { en: 'mend what can be mended with: tollgate doctor --fix', zh: '可自动修复：tollgate doctor --fix' },
};
