/** Copies of the database, another database taken over, new keys for secrets, and what the doctor mends. */
export const upkeepText = {
  'help.dbBackup': {
    en: 'copy the database while the server runs; the copy is for its owner alone',
    zh: '在服务运行时备份数据库；备份仅本人可读',
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
};
