import { type LimitNode, SqliteQueryCompiler, ValueNode } from 'kysely';

/**
 * Compiles queries so that SQLite keeps their plans. It plans a statement again whenever a value is
 * bound to its limit, which takes several times as long as a short read. So a number becomes part
 * of the text, and a value that is bound later part of an expression, which planning ignores.
 */
export class PlanKeepingCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    if (!ValueNode.is(limit)) {
      super.visitLimit(node);
      return;
    }
    this.append('limit ');
    if (typeof limit.value === 'number') {
      this.appendImmediateValue(limit.value);
      return;
    }
    this.append('(');
    this.visitNode(limit);
    this.append(' + 0)');
  }
}
