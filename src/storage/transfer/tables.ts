import { columnNames, type Transfer } from '../sql/schema/table.ts';
import { type TableName, tableNames, tableOf } from '../sql/schema/tables.ts';

/** A table that is copied from one store to another. */
export type TransferTable = Transfer & {
  name: TableName;
  /** The columns of both engines. */
  columns: readonly string[];
  /** Whether its rows belong to a project. */
  isPerProject: boolean;
  /** The counter column, whose numbers must never be assigned again. */
  sequenceColumn?: string;
};

/**
 * All tables that are copied, each after those that its rows refer to. The full-text index is
 * rebuilt from the terms of the memories.
 */
export const transferTables: readonly TransferTable[] = tableNames.flatMap((name) => {
  const table = tableOf(name);
  if (table.transfer === undefined) return [];
  const columns = columnNames(table);
  const sequenceColumn = columns.find((column) => table.columns[column]?.isCounter);
  return {
    ...table.transfer,
    name,
    columns,
    isPerProject: table.belongsTo === 'project',
    ...(sequenceColumn !== undefined && { sequenceColumn }),
  };
});
