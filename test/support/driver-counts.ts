import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import {
  loadSqlite,
  type OpenSqlite,
  type SqliteDatabase,
  type SqliteStatement,
} from '../../src/storage/sqlite/driver.ts';

/** What the driver was asked to do. */
export type Counts = {
  /** Executions, those that begin and end a transaction included. */
  statements: number;
  /** Rows that statements returned to the program. */
  rows_read: number;
  /** Rows that statements inserted, changed and deleted; not those inside the keyword index. */
  rows_written: number;
};

export type DriverProbe = {
  /** Counts what `work` makes the driver do, and nothing that runs meanwhile for others. */
  count(work: (counts: Counts) => Promise<unknown>): Promise<Counts>;
  /** Bytes of the pages that hold something, in the store last opened. */
  storedBytes(): number;
  /** Leaves the driver as it was. */
  remove(): void;
};

type Opens = new (...args: Parameters<OpenSqlite>) => SqliteDatabase;
type Driver = { DatabaseSync: Opens };

/** Watches the real driver from outside: the program opens its stores as it always does. */
export async function watchDriver(): Promise<DriverProbe> {
  const current = new AsyncLocalStorage<Counts>();
  let latest: SqliteDatabase | null = null;
  const remove = await replaceDriver((real) => {
    return class extends watched(real, () => current.getStore()) {
      constructor(...args: Parameters<OpenSqlite>) {
        super(...args);
        latest = this;
      }
    };
  });
  return {
    count: async (work) => {
      const counts: Counts = { statements: 0, rows_read: 0, rows_written: 0 };
      await current.run(counts, () => work(counts));
      return counts;
    },
    storedBytes: () => {
      const ask = (name: string) => (latest === null ? 0 : numberOf(latest, `pragma ${name}`));
      return (ask('page_count') - ask('freelist_count')) * ask('page_size');
    },
    remove,
  };
}

/** A connection of the driver that counts what it does for the current call, if there is one. */
function watched(real: Opens, counting: () => Counts | undefined): Opens {
  return class extends real {
    override prepare(sql: string): SqliteStatement {
      const statement = super.prepare(sql);
      const { all, run } = statement;
      return Object.defineProperties(statement, {
        all: {
          value: (...values: Parameters<typeof all>) =>
            this.#count(
              () => all.apply(statement, values),
              (rows) => rows.length,
            ),
        },
        run: {
          value: (...values: Parameters<typeof run>) =>
            this.#count(
              () => run.apply(statement, values),
              () => 0,
            ),
        },
      });
    }

    override exec(sql: string): void {
      this.#count(
        () => super.exec(sql),
        () => 0,
      );
    }

    #count<T>(execute: () => T, rowsOf: (result: T) => number): T {
      const counts = counting();
      if (counts === undefined) return execute();
      const before = this.#changes();
      const result = execute();
      const after = this.#changes();
      counts.statements += 1;
      counts.rows_read += rowsOf(result);
      if (after.total > before.total) counts.rows_written += after.last;
      return result;
    }

    /** Those of the last statement that made any are known even after one that made none. */
    #changes(): { last: number; total: number } {
      this.#counter ??= super.prepare('select changes() as last, total_changes() as total');
      return (this.#counter.all() as [{ last: number; total: number }])[0];
    }

    #counter: SqliteStatement | undefined;
  };
}

function numberOf(db: SqliteDatabase, sql: string): number {
  const [row] = db.prepare(sql).all() as Record<string, number>[];
  return Object.values(row ?? {})[0] ?? 0;
}

/** Replaces the class of the driver in use: Node's own, or the one installed. */
async function replaceDriver(make: (real: Opens) => Opens): Promise<() => void> {
  const { module } = await loadSqlite();
  if (module === 'node:sqlite') {
    const builtIn = process.getBuiltinModule(module) as Driver;
    const { DatabaseSync } = builtIn;
    builtIn.DatabaseSync = make(DatabaseSync);
    return () => {
      builtIn.DatabaseSync = DatabaseSync;
    };
  }
  vi.doMock('@photostructure/sqlite', async (original) => {
    const real = await original<Driver>();
    return { ...real, DatabaseSync: make(real.DatabaseSync) };
  });
  return () => void vi.doUnmock('@photostructure/sqlite');
}
