import { createHash } from 'node:crypto';
import type { Compilable, CompiledQuery } from 'kysely';
import type { Database, DbSession } from './dialect.ts';

/** Names a value that the statement gets at each run. */
export type StatementParameters<V> = <N extends keyof V & string>(name: N) => V[N];

export type PreparedStatement<V extends object, R> = (
  session: DbSession,
  values: V,
) => Promise<R[]>;

/**
 * A statement that is compiled once per database and then only gets its values, because compiling
 * costs more than running it.
 */
export function prepareStatement<V extends object, R>(
  build: (db: Database, value: StatementParameters<V>) => Compilable<R>,
  { isNamed = true }: PrepareOptions = {},
): PreparedStatement<V, R> {
  const fill = createBinder(build);
  return (session, values) => {
    const { statement, name } = fill(session.db, values);
    return isNamed ? session.run(statement, name) : session.run(statement);
  };
}

/** `isNamed`: whether a server keeps one plan of the statement for all values. */
export type PrepareOptions = { isNamed?: boolean };

/** The same for a statement whose result nobody awaits: see `send` of {@link DbSession}. */
export function prepareSend<V extends object>(
  build: (db: Database, value: StatementParameters<V>) => Compilable<unknown>,
): (session: DbSession, values: V) => Promise<void> {
  const fill = createBinder(build);
  return (session, values) => {
    const { statement, name } = fill(session.db, values);
    return session.send(statement, name);
  };
}

function createBinder<V extends object, R>(
  build: (db: Database, value: StatementParameters<V>) => Compilable<R>,
) {
  const compiled = new WeakMap<Database, { statement: CompiledQuery<R>; name: string }>();

  return (db: Database, values: V): { statement: CompiledQuery<R>; name: string } => {
    let query = compiled.get(db);
    if (query === undefined) {
      const statement = build(db, placeholder).compile();
      query = { statement, name: statementNameOf(statement.sql) };
      compiled.set(db, query);
    }
    const { statement, name } = query;
    const parameters = statement.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof V] : parameter,
    );
    return { statement: { ...statement, parameters }, name };
  };
}

/** Derived from the text: a connection that several processes share has the same name for it. */
export function statementNameOf(text: string): string {
  return `mneme_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}

/**
 * The same for statements with few different sets of columns: one is compiled for each set of names
 * that have values.
 */
export function preparePerColumnSet<V extends object, R>(
  build: (
    db: Database,
    value: StatementParameters<V>,
    names: readonly (keyof V & string)[],
  ) => Compilable<R>,
): PreparedStatement<{ [N in keyof V]?: V[N] | undefined }, R> {
  const variants = new Map<string, PreparedStatement<V, R>>();

  return (session, values) => {
    const present = Object.entries(values).filter(([, value]) => value !== undefined);
    const names = present.map(([name]) => name as keyof V & string);
    const key = names.join();
    const variant =
      variants.get(key) ?? prepareStatement<V, R>((db, value) => build(db, value, names));
    variants.set(key, variant);
    return variant(session, values as V); // the statement uses no others
  };
}

/** A parameter for each column, for a statement that gets whole rows. */
export function parametersOf<V extends object>(
  columns: readonly (keyof V & string)[],
  value: StatementParameters<V>,
): V {
  // The list names all columns that the statement needs; otherwise the database rejects it.
  return Object.fromEntries(columns.map((name) => [name, value(name)])) as V;
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Kysely treats it as a value and puts it among the parameters, where it is found again. */
function placeholder(name: string): never {
  return new Placeholder(name) as never;
}
