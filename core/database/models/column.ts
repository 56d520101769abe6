import { type DataType, DataTypes, type Model, type ModelOptions, type ModelStatic, type Sequelize } from 'sequelize';

/** A column of a table, and the type of its values. The schema of a table is stated in these once; row types are inferred. */
export interface TableColumn<Value> {
  type: DataType;
  allowNull: boolean;
  /** The same as in the database: Sequelize writes it where a new row leaves the column out. */
  defaultValue?: Value;
  primaryKey?: boolean;
  autoIncrement?: boolean;
  unique?: boolean;
}

type Columns = Record<
  string,
  | TableColumn<string>
  | TableColumn<number>
  | TableColumn<boolean>
  | TableColumn<string | null>
  | TableColumn<number | null>
>;

/** A row as it is stored. SQLite returns a flag as 0 or 1. */
export type RowOf<Table extends Columns> = {
  -readonly [Name in keyof Table]: Table[Name] extends TableColumn<infer Value> ? Value : never;
};

/** The model of a table whose rows are of this type. */
export type TableModel<Row extends object> = ModelStatic<Model<Row, Partial<Row>> & Row>;

const column = <Value>(type: DataType, defaultValue: Value | undefined): TableColumn<Value> => ({
  type,
  allowNull: false,
  ...(defaultValue !== undefined && { defaultValue }),
});

export const rowId = (): TableColumn<number> => ({
  type: DataTypes.INTEGER,
  allowNull: false,
  primaryKey: true,
  autoIncrement: true,
});

// Without a default a new row must bring a value.
export const text = (defaultValue?: string): TableColumn<string> => column(DataTypes.TEXT, defaultValue);
export const whole = (defaultValue?: number): TableColumn<number> => column(DataTypes.BIGINT, defaultValue);
export const real = (defaultValue?: number): TableColumn<number> => column(DataTypes.DOUBLE, defaultValue);
export const flag = (defaultValue?: boolean): TableColumn<boolean> => column(DataTypes.BOOLEAN, defaultValue);

export const key = <Value>(base: TableColumn<Value>): TableColumn<Value> => ({ ...base, primaryKey: true });
export const unique = <Value>(base: TableColumn<Value>): TableColumn<Value> => ({ ...base, unique: true });
export const nullable = <Value>(base: TableColumn<Value>): TableColumn<Value | null> => ({ ...base, allowNull: true });

interface TableNames {
  /** The alias of a row in SQL, and the name of its model. */
  row: string;
  table: string;
}

type Instance<Table extends Columns> = Model<RowOf<Table>, Partial<RowOf<Table>>> & RowOf<Table>;

/** The model of a table. Sequelize writes into the attributes it is given, so that each connection gets a copy. */
export function defineTable<Table extends Columns>(
  sequelize: Sequelize,
  { row, table }: TableNames,
  columns: Table,
  options: Pick<ModelOptions<Instance<Table>>, 'hooks' | 'indexes'> = {},
): TableModel<RowOf<Table>> {
  const attributes = Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, { ...one }]));
  const settings = { ...options, tableName: table, timestamps: false } as ModelOptions;
  // The one place where Sequelize is told what `RowOf` has worked out.
  return sequelize.define(row, attributes, settings) as unknown as TableModel<RowOf<Table>>;
}
