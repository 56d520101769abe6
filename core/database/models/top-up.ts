import type { Sequelize } from 'sequelize';
import { defineTable, type RowOf, real, rowId, text, unique, whole } from './column.ts';

const columns = {
  id: rowId(),
  user_id: whole(),
  /** What was asked for, in currency units; `quota` is what is exact. */
  amount: whole(0),
  /** As other programs of this family read it; `money_cents` is what is exact. */
  money: real(0),
  trade_no: unique(text()),
  payment_method: text(''),
  create_time: whole(0),
  complete_time: whole(0),
  status: text('pending'),
  quota: whole(0),
  money_cents: whole(0),
  provider_trade_no: text(''),
};

/** One order at the payment service. */
export type TopUpRow = RowOf<typeof columns>;

export const defineTopUp = (sequelize: Sequelize) =>
  defineTable(sequelize, { row: 'top_up', table: 'top_ups' }, columns);
