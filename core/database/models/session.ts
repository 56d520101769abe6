import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

/** A row of `sessions` as it is stored. */
export interface SessionRow {
  id_hash: string;
  user_id: number;
  session_version: number;
  created_at: number;
  seen_at: number;
  address: string;
  user_agent: string;
  data: string;
}

export type SessionModel = ModelStatic<Model<SessionRow, Partial<SessionRow>> & SessionRow>;

export function defineSession(sequelize: Sequelize): SessionModel {
  return sequelize.define<Model<SessionRow, Partial<SessionRow>> & SessionRow>(
    'session',
    {
      id_hash: { type: DataTypes.TEXT, primaryKey: true, allowNull: false },
      user_id: { type: DataTypes.BIGINT, allowNull: false },
      session_version: {
        type: DataTypes.BIGINT,
        allowNull: false,
        defaultValue: 0,
      },
      created_at: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      seen_at: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      address: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      user_agent: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      data: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
    },
    { tableName: 'sessions', timestamps: false },
  );
}
