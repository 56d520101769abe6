import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

/** A row of `top_ups` as it is stored: one order at the payment service. */
export interface TopUpRow {
  id: number;
  user_id: number;
  /** What was asked for, in currency units; `quota` is what is exact. */
  amount: number;
  /** As other programs of this family read it; `money_cents` is what is exact. */
  money: number;
  trade_no: string;
  payment_method: string;
  create_time: number;
  complete_time: number;
  status: string;
  quota: number;
  money_cents: number;
  provider_trade_no: string;
}

export type TopUpModel = ModelStatic<Model<TopUpRow, Partial<TopUpRow>> & TopUpRow>;

export function defineTopUp(sequelize: Sequelize): TopUpModel {
  return sequelize.define<Model<TopUpRow, Partial<TopUpRow>> & TopUpRow>(
    'top_up',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      user_id: { type: DataTypes.BIGINT, allowNull: false },
      amount: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      money: { type: DataTypes.DOUBLE, allowNull: false, defaultValue: 0 },
      trade_no: { type: DataTypes.TEXT, allowNull: false },
      payment_method: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      create_time: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      complete_time: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      status: { type: DataTypes.TEXT, allowNull: false, defaultValue: 'pending' },
      quota: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      money_cents: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      provider_trade_no: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
    },
    { tableName: 'top_ups', timestamps: false },
  );
}
