import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

/** A row of `tokens` as it is stored. */
export interface TokenRow {
  id: number;
  user_id: number;
  key_hash: string;
  key_encrypted: string;
  status: number;
  name: string;
  created_time: number;
  accessed_time: number;
  expired_time: number;
  remain_quota: number;
  unlimited_quota: boolean;
  used_quota: number;
  model_limits_enabled: boolean;
  model_limits: string;
  allow_ips: string;
  group: string;
  deleted_at: number | null;
}

export type TokenModel = ModelStatic<Model<TokenRow, Partial<TokenRow>> & TokenRow>;

export function defineToken(sequelize: Sequelize): TokenModel {
  return sequelize.define<Model<TokenRow, Partial<TokenRow>> & TokenRow>(
    'token',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      user_id: { type: DataTypes.BIGINT, allowNull: false },
      key_hash: { type: DataTypes.TEXT, allowNull: false },
      key_encrypted: {
        type: DataTypes.TEXT,
        allowNull: false,
        defaultValue: '',
      },
      status: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 1 },
      name: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      created_time: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      accessed_time: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      expired_time: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: -1,
      },
      remain_quota: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      unlimited_quota: {
        type: DataTypes.BOOLEAN,
        allowNull: false,
        defaultValue: false,
      },
      used_quota: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      model_limits_enabled: {
        type: DataTypes.BOOLEAN,
        allowNull: false,
        defaultValue: false,
      },
      model_limits: {
        type: DataTypes.TEXT,
        allowNull: false,
        defaultValue: '',
      },
      allow_ips: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      group: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      deleted_at: { type: DataTypes.BIGINT, allowNull: true },
    },
    { tableName: 'tokens', timestamps: false },
  );
}
