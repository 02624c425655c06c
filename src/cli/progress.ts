import { printToStderr } from '../log.ts';

/** How often a long command says how far it is. */
const everyMs = 2000;

/** Says on stderr how far a command is, now and then. */
export function createProgress(): (say: () => string) => void {
  let next = Date.now() + everyMs;
  return (say) => {
    if (Date.now() < next) return;
    printToStderr(say());
    next = Date.now() + everyMs;
  };
}
