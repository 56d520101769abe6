import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

/** A row of `abilities` as it is stored. */
export interface AbilityRow {
  group: string;
  model: string;
  channel_id: number;
  enabled: boolean;
  priority: number;
  weight: number;
  tag: string;
}

export type AbilityModel = ModelStatic<Model<AbilityRow, Partial<AbilityRow>> & AbilityRow>;

export function defineAbility(sequelize: Sequelize): AbilityModel {
  return sequelize.define<Model<AbilityRow, Partial<AbilityRow>> & AbilityRow>(
    'ability',
    {
      group: { type: DataTypes.TEXT, primaryKey: true, allowNull: false },
      model: { type: DataTypes.TEXT, primaryKey: true, allowNull: false },
      channel_id: {
        type: DataTypes.BIGINT,
        primaryKey: true,
        allowNull: false,
      },
      enabled: {
        type: DataTypes.BOOLEAN,
        allowNull: false,
        defaultValue: true,
      },
      priority: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      weight: { type: DataTypes.BIGINT, allowNull: false, defaultValue: 0 },
      tag: { type: DataTypes.TEXT, allowNull: false, defaultValue: '' },
    },
    { tableName: 'abilities', timestamps: false },
  );
}
