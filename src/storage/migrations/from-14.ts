import type { Database } from '../sql/dialect.ts';
import type { EngineWords } from '../sql/schema/create-sql.ts';
import { recodeVectors } from './from-15.ts';

/** Up to schema 14, a vector in a file is numbers of 32 bits. */
export async function upgradeVectorsFrom14(db: Database, words: EngineWords): Promise<void> {
  await recodeVectors(db, words, toFloats);
}

/** A copy, because the driver's buffer may not be aligned for floats. */
function toFloats(blob: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(blob).buffer);
}
