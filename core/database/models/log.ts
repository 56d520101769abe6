import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

/** A row of `logs` as it is stored. */
export interface LogRow {
  id: number;
  request_id: string | null;
  user_id: number;
  created_at: number;
  type: number;
  content: string;
  username: string;
  token_id: number;
  token_name: string;
  model_name: string;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  use_time: number;
  is_stream: boolean;
  channel_id: number;
  group: string;
  other: string;
}

export type LogModel = ModelStatic<Model<LogRow, Partial<LogRow>> & LogRow>;

export function defineLog(sequelize: Sequelize): LogModel {
  return sequelize.define<Model<LogRow, Partial<LogRow>> & LogRow>(
    'log',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      request_id: { type: DataTypes.TEXT, allowNull: true },
      user_id: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      created_at: { type: DataTypes.BIGINT, allowNull: false },
      type: { type: DataTypes.BIGINT, allowNull: false },
      content: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      username: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      token_id: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      token_name: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      model_name: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      quota: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      prompt_tokens: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      completion_tokens: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      use_time: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      is_stream: {
        type: DataTypes.BOOLEAN,
        allowNull: false,
        defaultValue: false,
      },
      channel_id: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      group: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      other: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
    },
    { tableName: 'logs', timestamps: false },
  );
}
