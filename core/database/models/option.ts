import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

/** A row of `options` as it is stored. */
export interface OptionRow {
  key: string;
  value: string;
}

export type OptionModel = ModelStatic<Model<OptionRow, Partial<OptionRow>> & OptionRow>;

export function defineOption(sequelize: Sequelize): OptionModel {
  return sequelize.define<Model<OptionRow, Partial<OptionRow>> & OptionRow>(
    'option',
    {
      key: { type: DataTypes.TEXT, primaryKey: true, allowNull: false },
      value: { type: DataTypes.TEXT, allowNull: false },
    },
    { tableName: 'options', timestamps: false },
  );
}
