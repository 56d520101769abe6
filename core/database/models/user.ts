import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';
import { nameSkeleton } from '../../lib/confusable-name.ts';
import { emailKey } from '../../schemas/email.ts';

/** A row of `users` as it is stored. */
export interface UserRow {
  id: number;
  username: string;
  username_key: string;
  /** The name as people read it, kept with every write of it. */
  username_skeleton: string;
  password: string;
  display_name: string;
  role: number;
  status: number;
  email: string;
  /** The one form of the address, kept with every write of it. */
  email_key: string;
  github_id: string;
  wechat_id: string;
  telegram_id: string;
  linux_do_id: string;
  oidc_id: string;
  access_token_hash: string | null;
  quota: number;
  used_quota: number;
  request_count: number;
  group: string;
  aff_code: string | null;
  aff_count: number;
  aff_quota: number;
  aff_history: number;
  inviter_id: number;
  setting: string;
  session_version: number;
  created_time: number;
  last_login_time: number;
  quota_reminded_time: number;
  deleted_at: number | null;
}

export type UserModel = ModelStatic<Model<UserRow, Partial<UserRow>> & UserRow>;

export function defineUser(sequelize: Sequelize): UserModel {
  return sequelize.define<Model<UserRow, Partial<UserRow>> & UserRow>(
    'user',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      username: { type: DataTypes.TEXT, allowNull: false },
      username_key: { type: DataTypes.TEXT, allowNull: false },
      username_skeleton: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      password: { type: DataTypes.TEXT, allowNull: false },
      display_name: {
        type: DataTypes.TEXT,
        allowNull: false,
        defaultValue: '',
      },
      role: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 1 },
      status: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 1 },
      email: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      email_key: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      github_id: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      wechat_id: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      telegram_id: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      linux_do_id: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      oidc_id: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      access_token_hash: { type: DataTypes.TEXT, allowNull: true },
      quota: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      used_quota: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      request_count: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      group: {
        type: DataTypes.TEXT,
        allowNull: false,
        defaultValue: 'default',
      },
      aff_code: { type: DataTypes.TEXT, allowNull: true },
      aff_count: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      aff_quota: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      aff_history: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      inviter_id: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      setting: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      session_version: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      created_time: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      last_login_time: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      quota_reminded_time: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      deleted_at: { type: DataTypes.BIGINT, allowNull: true },
    },
    { tableName: 'users', timestamps: false, hooks: derivedHooks },
  );
}

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
