import { printToStderr } from '../../log.ts';

/** How often a long command says how far it is. */
const reportEveryMs = 2000;

/** Says on stderr how far a command is, now and then. */
export function createProgressReporter(): (say: () => string) => void {
  let next = Date.now() + reportEveryMs;
  return (say) => {
    if (Date.now() < next) return;
    printToStderr(say());
    next = Date.now() + reportEveryMs;
  };
}
