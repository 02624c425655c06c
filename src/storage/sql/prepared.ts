import { createHash } from 'node:crypto';
import type { Compilable, CompiledQuery } from 'kysely';
import type { Database, DbSession } from './dialect.ts';

/** Names a value that a statement is given each time it runs. */
export type StatementParameters<V> = <N extends keyof V & string>(name: N) => V[N];

export type PreparedStatement<V extends object, R> = (
  session: DbSession,
  values: V,
) => Promise<R[]>;

/**
 * A statement that is built once for each database and then only given its values: to build one
 * costs more than to run it.
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

/** `isNamed`: whether a server keeps one plan of the statement, which serves all values. */
export type PrepareOptions = { isNamed?: boolean };

/** The same for one whose answer nobody waits for: see `send` of a {@link DbSession}. */
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
  const known = new WeakMap<Database, { statement: CompiledQuery<R>; name: string }>();

  return (db: Database, values: V): { statement: CompiledQuery<R>; name: string } => {
    let found = known.get(db);
    if (found === undefined) {
      const statement = build(db, placeholder).compile();
      found = { statement, name: statementNameOf(statement.sql) };
      known.set(db, found);
    }
    const { statement, name } = found;
    const parameters = statement.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof V] : parameter,
    );
    return { statement: { ...statement, parameters }, name };
  };
}

/** Of the text alone: a connection that several processes share has the same under this name. */
export function statementNameOf(text: string): string {
  return `mneme_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}

/**
 * The same for statements whose columns differ, of which there are few sets: one is built for each
 * set of names that there are values of.
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
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    const names = given.map(([name]) => name as keyof V & string);
    const key = names.join();
    const known =
      variants.get(key) ?? prepareStatement<V, R>((db, value) => build(db, value, names));
    variants.set(key, known);
    return known(session, values as V); // it asks for no others
  };
}

/** Every column by its name, for a statement that is given whole rows. */
export function parametersOf<V extends object>(
  columns: readonly (keyof V & string)[],
  value: StatementParameters<V>,
): V {
  // The list names all columns that the statement needs; the database refuses it otherwise.
  return Object.fromEntries(columns.map((name) => [name, value(name)])) as V;
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Kysely takes it for a value and puts it among the parameters, where it is found again. */
function placeholder(name: string): never {
  return new Placeholder(name) as never;
}
