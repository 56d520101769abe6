import type { CatalogEntry } from './entry.ts';

/** Copies of the database, taking over another one, and changing what secrets are encrypted with. */
export const upkeepErrors = {
  'secret.nodeLacksKey': {
    status: 409,
    en: 'these running processes cannot read the new key yet, nothing was changed: {names}',
    zh: '以下运行中的进程尚不能读取新密钥，未作任何更改：{names}',
    hint: {
      en: 'restart each of them with CRYPTO_SECRET=new,former, then run it again',
      zh: '请先用 CRYPTO_SECRET=新,旧 逐个重启，然后重试',
    },
  },
  'settlement.notWaiting': {
    status: 404,
    en: 'no settlement {id} waits for a decision',
    zh: '没有等待决定的结算 {id}',
    hint: { en: 'see the list with: tollgate ledger stray', zh: '查看列表：tollgate ledger stray' },
  },
  'backup.exists': {
    status: 409,
    en: 'the file {file} exists already',
    zh: '文件 {file} 已存在',
    hint: { en: 'name another file, or replace it with --force', zh: '请换一个文件名，或用 --force 覆盖' },
  },
  'backup.notOurs': {
    status: 400,
    en: '{file} is no database of Tollgate',
    zh: '{file} 不是 Tollgate 的数据库',
    hint: {
      en: 'take over a one-api or new-api database with: tollgate db import <file>',
      zh: '导入 one-api 或 new-api 的数据库：tollgate db import <文件>',
    },
  },
  'backup.noFile': {
    status: 400,
    en: '{file} is no regular file',
    zh: '{file} 不是普通文件',
    hint: { en: 'name the file of a copy', zh: '请指定备份文件' },
  },
  'backup.foreignSchema': {
    status: 400,
    en: '{file} has parts that Tollgate did not make, or lacks some, nothing was changed: {names}',
    zh: '{file} 中有并非由 Tollgate 创建或缺失的部分，未作任何更改：{names}',
    hint: {
      en: 'somebody changed this copy: triggers and views would run with every change of a balance. Use another copy',
      zh: '该备份被人修改过：触发器和视图会在每次余额变动时执行。请使用其他备份',
    },
  },
  'backup.damaged': {
    status: 400,
    en: '{file} is damaged, nothing was changed: {reason}',
    zh: '{file} 已损坏，未作任何更改：{reason}',
    hint: { en: 'restore an older copy', zh: '请使用更早的备份' },
  },
  'backup.ledgerWrong': {
    status: 400,
    en: 'the ledger in {file} does not add up ({count} differences), nothing was changed',
    zh: '{file} 中的账目不平（{count} 处差异），未作任何更改',
    hint: {
      en: 'restore an older copy, or restore it all the same with --force',
      zh: '请使用更早的备份，或用 --force 强制恢复',
    },
  },
  'backup.noTool': {
    status: 400,
    en: 'pg_dump is not installed, and PostgreSQL is copied with it',
    zh: '未安装 pg_dump，无法备份 PostgreSQL',
    hint: {
      en: 'install the PostgreSQL client tools (Debian: apt install postgresql-client), or copy on the database server: pg_dump --format=custom --file=tollgate.dump <database>',
      zh: '请安装 PostgreSQL 客户端工具（Debian：apt install postgresql-client），或在数据库服务器上运行：pg_dump --format=custom --file=tollgate.dump <数据库>',
    },
  },
  'backup.toolFailed': { status: 500, en: 'pg_dump failed: {reason}', zh: 'pg_dump 失败：{reason}' },
  'backup.postgresRestore': {
    status: 400,
    en: 'a copy of PostgreSQL is put back with its own tool, while no server runs',
    zh: 'PostgreSQL 的备份需在服务停止时用其自带工具恢复',
    hint: {
      en: 'pg_restore --clean --if-exists --single-transaction --no-owner --dbname={place} {file}, then, before a server starts: tollgate db check',
      zh: 'pg_restore --clean --if-exists --single-transaction --no-owner --dbname={place} {file}，然后在启动服务前运行：tollgate db check',
    },
  },
  'takeover.mysql': {
    status: 400,
    en: 'MySQL is not read directly',
    zh: '不支持直接读取 MySQL',
    hint: {
      en: 'copy it into PostgreSQL or SQLite first, for example: pgloader mysql://user@host/oneapi postgres://user@host/oneapi, then: tollgate db import postgres://user@host/oneapi',
      zh: '请先转换为 PostgreSQL 或 SQLite，例如：pgloader mysql://user@host/oneapi postgres://user@host/oneapi，然后：tollgate db import postgres://user@host/oneapi',
    },
  },
  'takeover.foreign': {
    status: 400,
    en: '{place} is no database of one-api or new-api',
    zh: '{place} 不是 one-api 或 new-api 的数据库',
    hint: { en: 'name its file, usually one-api.db', zh: '请指定其数据库文件，通常为 one-api.db' },
  },
  'takeover.ownFormat': {
    status: 400,
    en: 'this is a database of Tollgate itself',
    zh: '这是 Tollgate 自己的数据库',
    hint: { en: 'put it in place with: tollgate db restore <file>', zh: '请使用：tollgate db restore <文件>' },
  },
  'takeover.notEmpty': {
    status: 409,
    en: 'this installation holds more than root already',
    zh: '当前安装中已有其他数据',
    hint: {
      en: 'import into a new data folder (--data-dir), or add to what is here with --merge',
      zh: '请导入到新的数据目录（--data-dir），或用 --merge 合并到现有数据',
    },
  },
  'secret.onlineNeedsBoth': {
    status: 400,
    en: 'beside running servers both keys must be known to each of them',
    zh: '服务运行时，所有服务都必须同时知道新旧密钥',
    hint: {
      en: 'restart every server with CRYPTO_SECRET=new,former, then run this with the same CRYPTO_SECRET; or stop the servers and leave --online out',
      zh: '请用 CRYPTO_SECRET=新,旧 重启所有服务，再以相同的 CRYPTO_SECRET 运行；或停止服务并去掉 --online',
    },
  },
  'secret.nextMissing': {
    status: 400,
    en: 'CRYPTO_SECRET names one secret, so there is none to change to',
    zh: 'CRYPTO_SECRET 只有一个密钥，没有可更换的新密钥',
    hint: {
      en: 'put a new one in front: CRYPTO_SECRET=new,former tollgate secret rotate',
      zh: '请在前面加上新密钥：CRYPTO_SECRET=新,旧 tollgate secret rotate',
    },
  },
  'secret.dropInEnvironment': {
    status: 400,
    en: 'the keys come from CRYPTO_SECRET, which this program does not change',
    zh: '密钥来自 CRYPTO_SECRET，本程序不会修改它',
    hint: {
      en: 'take the former one out of CRYPTO_SECRET once secret rotate --dry-run finds nothing to write',
      zh: '当 secret rotate --dry-run 没有可重新加密的内容后，从 CRYPTO_SECRET 中移除旧密钥',
    },
  },
  'secret.formerNeeded': {
    status: 409,
    en: '{count} stored secrets are not written with the newest key yet',
    zh: '仍有 {count} 项未用最新密钥加密',
    hint: { en: 'run first: tollgate secret rotate', zh: '请先运行：tollgate secret rotate' },
  },
  'doctor.installFailed': {
    status: 500,
    en: "SQLite's own installer failed: {reason}",
    zh: 'SQLite 的安装程序失败：{reason}',
    hint: {
      en: 'install again with: npm install -g --allow-scripts=sqlite3 tollgate, or set SQL_DSN to PostgreSQL',
      zh: '请重新安装：npm install -g --allow-scripts=sqlite3 tollgate，或将 SQL_DSN 设为 PostgreSQL',
    },
  },
  'database.inUse': {
    status: 409,
    en: 'the database is in use by process {names}',
    zh: '数据库正被进程使用：{names}',
    hint: { en: 'stop the server first, then run this again', zh: '请先停止服务，再运行此命令' },
  },
} as const satisfies Record<string, CatalogEntry>;
