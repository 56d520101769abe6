import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

/** A row of `redemptions` as it is stored. */
export interface RedemptionRow {
  id: number;
  /** Who made the code. */
  user_id: number;
  key_hash: string;
  key_encrypted: string;
  status: number;
  name: string;
  quota: number;
  created_time: number;
  redeemed_time: number;
  /** Unix seconds, 0 = never ends. */
  expired_time: number;
  /** 0 = nobody yet. */
  used_user_id: number;
  deleted_at: number | null;
}

export type RedemptionModel = ModelStatic<Model<RedemptionRow, Partial<RedemptionRow>> & RedemptionRow>;

export function defineRedemption(sequelize: Sequelize): RedemptionModel {
  return sequelize.define<Model<RedemptionRow, Partial<RedemptionRow>> & RedemptionRow>(
    'redemption',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      user_id: { type: DataTypes.BIGINT, allowNull: false },
      key_hash: { type: DataTypes.TEXT, allowNull: false },
      key_encrypted: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      status: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 1 },
      name: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      quota: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      created_time: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      redeemed_time: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      expired_time: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      used_user_id: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      deleted_at: { type: DataTypes.BIGINT, allowNull: true },
    },
    { tableName: 'redemptions', timestamps: false },
  );
}
