import { randomInt } from 'node:crypto';

export const unorderedMin = 2 ** 48;

/**
 * A number for a row that clients see: one that counts up would tell each tenant how many rows all
 * the others make. It is above those that older stores counted, and exact in JSON.
 */
export function unorderedNumber(): number {
  return randomInt(unorderedMin, 2 * unorderedMin - 1);
}
