import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

/** A row of `audits` as it is stored. */
export interface AuditRow {
  id: number;
  created_at: number;
  actor_id: number;
  actor_name: string;
  address: string;
  action: string;
  object_kind: string;
  object_id: string;
  before: string;
  after: string;
}

export type AuditModel = ModelStatic<Model<AuditRow, Partial<AuditRow>> & AuditRow>;

export function defineAudit(sequelize: Sequelize): AuditModel {
  return sequelize.define<Model<AuditRow, Partial<AuditRow>> & AuditRow>(
    'audit',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      created_at: { type: DataTypes.BIGINT, allowNull: false },
      actor_id: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      actor_name: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      address: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      action: { type: DataTypes.TEXT, allowNull: false },
      object_kind: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      object_id: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      before: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
      after: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
    },
    { tableName: 'audits', timestamps: false },
  );
}
