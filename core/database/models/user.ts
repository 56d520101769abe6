import { type Model, Op, type Sequelize } from 'sequelize';
import { nameSkeleton } from '../../lib/confusable-name.ts';
import { emailKey } from '../../schemas/email.ts';
import { defineTable, nullable, type RowOf, rowId, text, unique, whole } from './column.ts';

const columns = {
  id: rowId(),
  username: text(),
  username_key: unique(text()),
  /** The name as people read it, kept with every write of it. */
  username_skeleton: text(''),
  password: text(),
  display_name: text(''),
  role: whole(1),
  status: whole(1),
  email: text(''),
  /** The one form of the address, kept with every write of it. */
  email_key: text(''),
  github_id: text(''),
  wechat_id: text(''),
  telegram_id: text(''),
  linux_do_id: text(''),
  oidc_id: text(''),
  access_token_hash: unique(nullable(text())),
  quota: whole(0),
  used_quota: whole(0),
  request_count: whole(0),
  group: text('default'),
  aff_code: unique(nullable(text())),
  aff_count: whole(0),
  aff_quota: whole(0),
  aff_history: whole(0),
  inviter_id: whole(0),
  setting: text(''),
  session_version: whole(0),
  created_time: whole(0),
  last_login_time: whole(0),
  quota_reminded_time: whole(0),
  deleted_at: nullable(whole()),
};

export type UserRow = RowOf<typeof columns>;

/** Accounts at other services: each is one user's, and most users have none. */
const outsideIds = ['github_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'oidc_id'];

export const defineUser = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'user', table: 'users' }, columns, {
    hooks: derivedHooks,
    indexes: outsideIds.map((name) => ({ fields: [name], unique: true, where: { [name]: { [Op.ne]: '' } } })),
  });

/** Every way to write a name or an address writes what is looked up of it. */
const derivedHooks = {
  beforeValidate(row: Model<UserRow, Partial<UserRow>> & UserRow) {
    if (row.changed('username')) row.username_skeleton = nameSkeleton(row.username);
    if (row.changed('email')) row.email_key = emailKey(row.email);
  },
  beforeBulkCreate(rows: UserRow[]) {
    for (const row of rows) {
      row.username_skeleton = nameSkeleton(row.username);
      row.email_key = emailKey(row.email);
    }
  },
  beforeBulkUpdate({ attributes = {}, fields }: { attributes?: Partial<UserRow>; fields?: string[] }) {
    if (attributes.username !== undefined) {
      attributes.username_skeleton = nameSkeleton(attributes.username);
      fields?.push('username_skeleton');
    }
    if (attributes.email !== undefined) {
      attributes.email_key = emailKey(attributes.email);
      fields?.push('email_key');
    }
  },
};
