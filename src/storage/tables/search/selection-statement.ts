import {
  type Compilable,
  ExpressionWrapper,
  type OperationNode,
  RawNode,
  type SqlBool,
  sql,
  ValueNode,
} from 'kysely';
import { type EntityIds, entityIdFields } from '../../../contract/schemas/entity.ts';
import type { Filter } from '../../../contract/schemas/filter.ts';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type { ProjectRef, Selection } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database, SqlCondition, SqlDialect } from '../../sql/dialect.ts';
import { countComparisons, listRequired, selectionSql } from '../../sql/filter-sql.ts';
import {
  type PreparedStatement,
  prepareStatement,
  type StatementParameters,
} from '../../sql/prepared.ts';

/** The memories that a statement selects. */
export type SelectedMemories = {
  project: Pick<ProjectRef, 'key'>;
  selection: Selection;
  /** The entity with the fewest memories, if the filter names several. */
  narrowBy?: keyof EntityIds | undefined;
};

export type SelectionStatement<V extends object, R> = (
  at: DbContext,
  selected: SelectedMemories,
  values: V,
) => Promise<R[]>;

type StatementParts = { db: Database; dialect: SqlDialect; where: SqlCondition };

type BuildStatement<V extends object, R> = (
  parts: StatementParts,
  value: StatementParameters<V>,
) => Compilable<R>;

/**
 * A statement about the memories of a selection, whose condition is `where`. It is cached by the
 * shape of the filter, because building it takes longer than running it. The shape is the SQL of
 * the condition: filters share a statement exactly if they differ only in values.
 */
export function prepareForSelection<V extends object, R>(
  build: BuildStatement<V, R>,
): SelectionStatement<V, R> {
  const statementsByDialect = new WeakMap<
    SqlDialect,
    Map<string, PreparedStatement<V & ShapeValues, R>>
  >();
  return (at, selected, values) => {
    const shape = shapeOf(at, selected);
    if (shape === null) return runOnce(at, selected, { build, values });
    const statements =
      statementsByDialect.get(at.dialect) ??
      new Map<string, PreparedStatement<V & ShapeValues, R>>();
    statementsByDialect.set(at.dialect, statements);
    const statement = statements.get(shape.key) ?? prepareShape(at.dialect, { build, shape });
    keepNewest(statements, shape.key, statement);
    return statement(at, { ...values, ...shape.values, project_key: selected.project.key });
  };
}

/** Cached statements per query: callers choose the shapes, and must not fill the memory. */
export const keptShapesMax = 64;
/** A filter with more comparisons or longer SQL is unlikely to come again. */
const shapeComparisonsMax = 16;
const shapeTextMax = 4_000;

function keepNewest<T>(statements: Map<string, T>, key: string, statement: T): void {
  // A map keeps insertion order: the last used statement moves to the end.
  statements.delete(key);
  statements.set(key, statement);
  const [oldest] = statements.keys();
  if (statements.size > keptShapesMax && oldest !== undefined) statements.delete(oldest);
}

/** The condition of a selection, and the values that differ between filters of its shape. */
type Shape = {
  key: string;
  condition: OperationNode;
  /** The values by number; the numbers are their names in the statement. */
  values: NumberedValues;
  isPlain: boolean;
};

type NumberedValues = Record<`${number}`, unknown>;
type ShapeValues = NumberedValues & { project_key: number };

function shapeOf(at: DbContext, { selection, narrowBy }: SelectedMemories): Shape | null {
  const cached = shapes.get(selection);
  if (cached?.dialect === at.dialect && cached.narrowBy === narrowBy) return cached.shape;
  const shape = readShape(at, { selection, narrowBy });
  shapes.set(selection, { dialect: at.dialect, narrowBy, shape });
  return shape;
}

/** One search runs several statements on the same selection. */
const shapes = new WeakMap<
  Selection,
  { dialect: SqlDialect; narrowBy: keyof EntityIds | undefined; shape: Shape | null }
>();

function readShape(
  { db, dialect }: DbContext,
  { selection, narrowBy }: StrictOmit<SelectedMemories, 'project'>,
): Shape | null {
  if (countComparisons(selection.filter) > shapeComparisonsMax) return null;
  const condition = selectionSql(selection, dialect.filter, { narrowBy }).toOperationNode();
  const compiled = sql`${new ExpressionWrapper(condition)}`.compile(db);
  if (compiled.sql.length > shapeTextMax) return null;
  return {
    key: compiled.sql,
    condition,
    values: { ...compiled.parameters },
    isPlain: isPlain(selection.filter),
  };
}

/**
 * True for the filters of most searches: memories of named entities, perhaps of certain days. There
 * are few such statements, so a server keeps one plan for all values. Other filters are planned for
 * their values, which may match very different numbers of memories.
 */
function isPlain(filter: Filter): boolean {
  const seen = new Set<string>();
  return listRequired(filter).every((part) => {
    if (!('field' in part) || typeof part.value !== 'string') return false;
    const { field, operator } = part;
    const isEntity = operator === 'eq' && entityIdFields.some((name) => name === field);
    const isTime = field === 'created_at' && (operator === 'gte' || operator === 'lt');
    const isFirst = !seen.has(`${field} ${operator}`);
    seen.add(`${field} ${operator}`);
    return isFirst && (isEntity || isTime);
  });
}

function prepareShape<V extends object, R>(
  dialect: SqlDialect,
  { build, shape }: { build: BuildStatement<V, R>; shape: Shape },
): PreparedStatement<V & ShapeValues, R> {
  return prepareStatement<V & ShapeValues, R>(
    (db, value) => {
      const condition = withPlaceholders(shape, (index) => value(`${index}`));
      return build({ db, dialect, where: ofProject(value('project_key'), condition) }, value);
    },
    { isNamed: shape.isPlain },
  );
}

function withPlaceholders(
  { condition, values }: Shape,
  placeholderOf: (index: number) => unknown,
): SqlCondition {
  let count = 0;
  const replace = (node: OperationNode): OperationNode => {
    if (RawNode.is(node)) return RawNode.create(node.sqlFragments, node.parameters.map(replace));
    if (!ValueNode.is(node)) return node;
    count += 1;
    return ValueNode.create(placeholderOf(count - 1));
  };
  const replaced = new ExpressionWrapper<never, never, SqlBool>(replace(condition));
  if (count !== Object.keys(values).length) {
    throw new Error('the condition of a filter hides a value where no placeholder reaches it');
  }
  return replaced;
}

/** Builds the statement with its values included. */
function runOnce<V extends object, R>(
  at: DbContext,
  { project, selection, narrowBy }: SelectedMemories,
  { build, values }: { build: BuildStatement<V, R>; values: V },
): Promise<R[]> {
  const condition = selectionSql(selection, at.dialect.filter, { narrowBy });
  const where = ofProject(project.key, condition);
  const { db, dialect } = at;
  return at.run(build({ db, dialect, where }, (name) => values[name]).compile());
}

function ofProject(key: number, condition: SqlCondition): SqlCondition {
  return sql<boolean>`memories.project_key = ${key} and ${condition}`;
}
