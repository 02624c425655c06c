import type { DbContext } from '../sql/db-context.ts';
import type { StatementCall } from '../sql/statement.ts';
import { bindTables } from '../tables/create-tables.ts';

type AutocommitOptions = {
  /** Runs a statement that needs no transaction of its own. */
  call: StatementCall;
  /** Reads shared data without a transaction. */
  read: <T>(look: (at: DbContext) => Promise<T>) => Promise<T>;
  transaction: <T>(run: (call: StatementCall) => Promise<T>) => Promise<T>;
};

/** Runs statements outside a transaction, or each in one of its own, as its `autocommit` says. */
export function createAutocommit({ call, read, transaction }: AutocommitOptions): StatementCall {
  return (statement, args) => {
    const { autocommit } = statement;
    if (autocommit === undefined) return call(statement, args);
    if (autocommit === true) return transaction(async (within) => within(statement, args));
    const { read: look, write } = autocommit;
    const change = async (within: StatementCall) =>
      write === undefined ? within(statement, args) : write(bindTables(within), ...args);
    return read((at) => look(at, ...args)).then((result) =>
      result === null ? transaction(change) : result.answer,
    );
  };
}
