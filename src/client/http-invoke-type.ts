import type { CallOptions, OperationName, Output } from '../contract.ts';

/**
 * Carries out one operation on a remote instance: the same input, output and errors as the embedded
 * engine's. Of another server than mneme the output may lack fields that it does not have.
 */
export type HttpInvoke = <N extends OperationName>(
  name: N,
  input: unknown,
  options?: Pick<CallOptions, 'signal' | 'wait_ms'>,
) => Promise<Output<N>>;
