import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

/** A row of `channels` as it is stored. */
export interface ChannelRow {
  id: number;
  type: number;
  key_encrypted: string;
  key_hash: string;
  openai_organization: string;
  test_model: string;
  status: number;
  name: string;
  weight: number;
  created_time: number;
  test_time: number;
  response_time: number;
  base_url: string;
  private_allowed: boolean;
  other: string;
  balance: number;
  balance_updated_time: number;
  models: string;
  group: string;
  used_quota: number;
  model_mapping: string;
  status_code_mapping: string;
  priority: number;
  auto_ban: number;
  other_info: string;
  tag: string;
  setting: string;
  param_override: string;
  max_input_tokens: number;
  expired_time: number;
  /** Unix seconds; 0 = it takes the field, or nobody has asked. */
  stream_options_refused_time: number;
}

export type ChannelModel = ModelStatic<Model<ChannelRow, Partial<ChannelRow>> & ChannelRow>;

export function defineChannel(sequelize: Sequelize): ChannelModel {
  return sequelize.define<Model<ChannelRow, Partial<ChannelRow>> & ChannelRow>(
    'channel',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      type: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 1 },
      key_encrypted: {
        type: DataTypes.TEXT,
        allowNull: false,
        defaultValue: '',
      },
      key_hash: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      openai_organization: {
        type: DataTypes.TEXT,
        allowNull: false,
        defaultValue: '',
      },
      test_model: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      status: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 1 },
      name: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      weight: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      created_time: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      test_time: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      response_time: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      base_url: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      private_allowed: {
        type: DataTypes.BOOLEAN,
        allowNull: false,
        defaultValue: false,
      },
      other: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      balance: { type: DataTypes.DOUBLE, allowNull: false, defaultValue: 0 },
      balance_updated_time: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      models: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      group: {
        type: DataTypes.TEXT,
        allowNull: false,
        defaultValue: 'default',
      },
      used_quota: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      model_mapping: {
        type: DataTypes.TEXT,
        allowNull: false,
        defaultValue: '',
      },
      status_code_mapping: {
        type: DataTypes.TEXT,
        allowNull: false,
        defaultValue: '',
      },
      priority: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      auto_ban: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 1 },
      other_info: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      tag: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      setting: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      param_override: {
        type: DataTypes.TEXT,
        allowNull: false,
        defaultValue: '',
      },
      max_input_tokens: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      expired_time: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: -1,
      },
      stream_options_refused_time: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
    },
    { tableName: 'channels', timestamps: false },
  );
}
